internal import Synchronization

/// The one way in which a mistake of the calling program stops it: what Core Data raises as an exception.
///
/// Bad input (files, models, predicates, stores) never comes here; it is thrown.
public enum ProgrammerError {
  /// Receives the message and doesn't return.
  public typealias Handler = @Sendable (_ message: String) -> Never

  // The package's one global variable: a handler that tests and crash reporters replace once, before anything stops.
  private static let handler = Mutex<Handler>({ message in fatalError(message) })

  /// Stops the program.
  ///
  /// - Parameter message: names the object, the entity and the key concerned, and says what to do instead.
  public static func stop(_ message: String) -> Never {
    let current: Handler = handler.withLock { $0 }
    current(message)
  }

  /// Replaces what happens when the program stops, and returns what was there before. Any thread.
  @discardableResult
  public static func setHandler(_ replacement: @escaping Handler) -> Handler {
    handler.withLock { current in
      let previous: Handler = current
      current = replacement
      return previous
    }
  }
}

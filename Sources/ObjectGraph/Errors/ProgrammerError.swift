package import Synchronization

/// Where the mistakes end that Core Data raises as exceptions: a wrong queue, an unknown key, an object of another
/// context. Nothing can go on after them, so the program stops with a message that names object, entity and key.
///
/// Faults of files, models, predicates and tokens are input and never come here.
package enum ProgrammerError {
  /// Called with the message before the program stops; tests and crash reporters set it.
  package static let observer: Mutex<(@Sendable (String) -> Void)?> = Mutex(nil)

  package static func stop(_ message: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
    observer.withLock { $0 }?(message)
    fatalError(message, file: file, line: line)
  }
}

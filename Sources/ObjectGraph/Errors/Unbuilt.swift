internal import Foundation
internal import Schema

/// The one way in which API of Core Data's that is declared here but not built yet says so: by name, and at once.
///
/// Declaring it lets ported code compile whole; what it then calls of this either throws or stops the program, and
/// never does nothing.
enum Unbuilt {
  /// For what can't throw.
  ///
  /// - Parameters:
  ///   - feature: the API's name, as `NSMigrationManager.sourceContext`.
  ///   - instead: what to do in the meantime, a sentence.
  static func stop(_ feature: String, _ instead: String) -> Never {
    ProgrammerError.stop(message(feature, instead))
  }

  /// For what throws.
  static func error(_ feature: String, _ instead: String, code: Int = NSPersistentStoreOperationError) -> any Error {
    GraphError.make(code, message(feature, instead))
  }

  private static func message(_ feature: String, _ instead: String) -> String {
    "\(feature) is declared so that code compiles, and is not built yet. \(instead)"
  }
}

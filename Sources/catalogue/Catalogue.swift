import Annals
import Foundation

/// The machine's package catalogue: one container, opened where the user says.
struct Catalogue {
  let container: NSPersistentContainer

  /// - Parameter directory: of the store; made when it is not there and `mayCreate` is set.
  init(directory: String, mayCreate: Bool) throws {
    guard mayCreate || FileManager.default.fileExists(atPath: directory) else {
      throw CatalogueError("There is no catalogue at \(directory). Run `catalogue import --store \(directory)` first.")
    }
    container = NSPersistentContainer(name: "Catalogue")
    let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: directory))
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    description.isReadOnly = !mayCreate
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
  }

  /// Where the catalogue lives when nothing else is said.
  static var defaultDirectory: String {
    NSPersistentContainer.defaultDirectoryURL().appendingPathComponent("Catalogue.annals").path
  }
}

/// A fault that the user can mend, in a sentence.
struct CatalogueError: Error, LocalizedError {
  let message: String
  init(_ message: String) { self.message = message }
  var errorDescription: String? { message }
}

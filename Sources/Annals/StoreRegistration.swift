internal import FileSystem
internal import Foundation
package import ObjectGraph
internal import RecordStore
internal import Schema
package import StoreContract

/// Wires the log store to the object graph, which finds this class by its name when it first opens a store.
package final class StoreRegistration: StoreFactory {
  package static func open(_ opening: StoreOpening) throws -> any ObjectStore {
    let acceptsDamage: Bool = (opening.options[AnnalsReadDamagedStoreOption] as? NSNumber)?.boolValue ?? false
    var options = RecordStoreOptions(isReadOnly: opening.isReadOnly, acceptsDamage: acceptsDamage)
    switch opening.place {
    case .memory:
      // Nobody can open it again.
      options.checkpointTailBytes = 0
      return try RecordStore.open(
        directory: memoryDirectory, in: fileSystem(opening), schema: opening.schema, options: options)
    case .directory(let path):
      return try RecordStore.open(
        directory: path, in: fileSystem(opening), schema: opening.schema, options: options)
    }
  }

  package static func exists(directory: String, options: [AnyHashable: Any]) throws -> Bool {
    try fileSystem(options).exists(directory)
  }

  package static func destroy(directory: String, options: [AnyHashable: Any]) throws {
    let files: any FileSystem = fileSystem(options)
    guard try files.exists(directory) else { return }
    try checkUnused(directory, files)
    for name in try files.list(directory) { try files.remove("\(directory)/\(name)") }
    if files is DiskFileSystem { try FileManager.default.removeItem(atPath: directory) }
  }

  /// Opening takes the lock, and tells a store from a directory of something else. A store that can't be read is a
  /// store all the same: all the more may it go.
  static func checkUnused(_ directory: String, _ files: any FileSystem) throws(StoreError) {
    let store: any ObjectStore
    do {
      store = try RecordStore.open(directory: directory, in: files, schema: nil, options: RecordStoreOptions())
    } catch {
      let removable: [StoreError.Code] = [.damaged, .newerFormat, .incompatibleSchema]
      if removable.contains(error.code) { return }
      throw error
    }
    try store.close()
  }

  static func fileSystem(_ options: [AnyHashable: Any]) -> any FileSystem {
    (options[fileSystemOption] as? any FileSystem) ?? DiskFileSystem()
  }

  static func fileSystem(_ opening: StoreOpening) -> any FileSystem {
    if let given = opening.options[fileSystemOption] as? any FileSystem { return given }
    return opening.place == .memory ? MemoryFileSystem() : DiskFileSystem()
  }

  /// Where a store in memory is in its memory.
  static let memoryDirectory = "/store"
}

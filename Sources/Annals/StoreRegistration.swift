internal import FileSystem
internal import Foundation
package import ObjectGraph
internal import RecordStore
internal import Schema
package import StoreContract

/// Wires the log store to the object graph, which finds this class by its name when it first opens a store.
package final class StoreRegistration: StoreFactory {
  package static func open(_ opening: StoreOpening) throws -> any ObjectStore {
    let options = RecordStoreOptions(isReadOnly: opening.isReadOnly)
    switch opening.place {
    case .memory:
      return try RecordStore.open(
        directory: "/store", in: MemoryFileSystem(), schema: opening.schema, options: options)
    case .directory(let path):
      return try RecordStore.open(
        directory: path, in: fileSystem(opening.options), schema: opening.schema, options: options)
    }
  }

  package static func exists(directory: String, options: [AnyHashable: Any]) throws -> Bool {
    try fileSystem(options).exists(directory)
  }

  package static func destroy(directory: String, options: [AnyHashable: Any]) throws {
    let files: any FileSystem = fileSystem(options)
    guard try files.exists(directory) else { return }
    do {
      // Opening takes the lock, and tells a store from a directory of something else.
      let store: any ObjectStore = try RecordStore.open(
        directory: directory, in: files, schema: nil, options: RecordStoreOptions())
      try store.close()
    } catch where isRemovable(error) {
      // It is a store, if one that can't be read: all the more may it go.
    }
    for name in try files.list(directory) { try files.remove("\(directory)/\(name)") }
    if files is DiskFileSystem { try FileManager.default.removeItem(atPath: directory) }
  }

  private static func isRemovable(_ error: StoreError) -> Bool {
    [.damaged, .newerFormat, .incompatibleSchema].contains(error.code)
  }

  private static func fileSystem(_ options: [AnyHashable: Any]) -> any FileSystem {
    (options[fileSystemOption] as? any FileSystem) ?? DiskFileSystem()
  }
}

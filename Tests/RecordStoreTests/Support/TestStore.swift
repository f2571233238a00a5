import FileSystem
import Foundation
import Schema

@testable import RecordStore

enum TestStore {
  static func memory(_ schema: Schema = Library.schema) throws -> RecordStore {
    try open(MemoryFileSystem(), schema)
  }

  static func open(
    _ fileSystem: any FileSystem, _ schema: Schema? = Library.schema, _ directory: String = "/library",
    options: RecordStoreOptions = RecordStoreOptions()
  ) throws -> RecordStore {
    try RecordStore.open(directory: directory, in: fileSystem, schema: schema, options: options)
  }
}

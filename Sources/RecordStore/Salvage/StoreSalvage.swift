public import FileSystem
import Foundation
import LogStore
public import Schema
import StoreContract

/// Reads what is whole in a damaged store into a new one. The damaged store is only read.
public enum StoreSalvage {
  /// A name in the new store's metadata while it is being written: a store that has it is not complete.
  public static let unfinishedName = "AnnalsSalvageUnfinished"

  /// Takes the schema, every readable row under its key, links and references where both ends are there, and metadata
  /// from one directory into another. What lies behind damage is read too. History is not taken over, and the new
  /// store has an identity of its own.
  ///
  /// Costs two passes over the damaged store, and memory for the places of its objects and links, not for their values.
  ///
  /// - Parameters:
  ///   - target: a directory that does not exist or is empty.
  ///   - timestamp: of the new store's transactions, in seconds since 2001-01-01 UTC.
  /// - Throws: `StoreError`: `notAStore`; `damaged` when no schema is readable, without which rows are only bytes;
  ///   `newerFormat`; `cannotOpen` when the target is not empty; or what writing it throws, and then the target holds
  ///   a store that says that it is not complete.
  public static func run(
    from source: String, to target: String, in fileSystem: any FileSystem, timestamp: Double
  ) throws(StoreError) -> SalvageReport {
    try checkTarget(target, fileSystem)
    let (reader, log) = try read(source, fileSystem)
    guard let stored = reader.loader.stored else {
      if let place = log.report.badPlaces.first {
        throw StoreError(
          .damaged,
          "No schema record is readable, and without one the rows are only bytes. Nothing was written. "
            + "Restore the store from a copy.", path: place.path, offsetBytes: place.offsetBytes)
      }
      throw StoreError(.notAStore, "There is no schema in the log: nothing was ever stored there.", path: source)
    }
    let store = try make(stored, target, fileSystem)
    do throws(StoreError) {
      var writer = SalvageWriter(reader, log, store, timestamp: timestamp)
      try writer.run()
      try store.close()
      return writer.report
    } catch {
      try? store.close()
      throw error
    }
  }

  private static func checkTarget(_ target: String, _ fileSystem: any FileSystem) throws(StoreError) {
    do {
      guard try fileSystem.exists(target) else { return }
      guard try fileSystem.list(target).isEmpty else {
        throw StoreError(
          .cannotOpen, "There is something there already. Choose a new directory for what is salvaged.", path: target)
      }
    } catch let error as FileError {
      throw StoreError(
        .cannotOpen, "The new store can't be made: \(error).", path: target, errorNumber: error.errorNumber)
    } catch {
      throw StoreError(any: error)
    }
  }

  private static func read(
    _ source: String, _ fileSystem: any FileSystem
  ) throws(StoreError) -> (SalvageReader, LogSalvage) {
    do {
      var reader = SalvageReader()
      var log = try LogSalvage.scan(source, in: fileSystem, reader)
      reader.finish()
      if reader.lacksSchema, let schema = reader.firstSchema {
        // The first schema record is damaged, and a later one is not.
        reader = SalvageReader(startingWith: schema)
        log = try LogSalvage.scan(source, in: fileSystem, reader)
        reader.finish()
      }
      if let error = reader.newerFormat { throw error }
      return (reader, log)
    } catch {
      throw StoreError(any: error)
    }
  }

  /// A store with the very same schema record, so that keys mean the same in it.
  private static func make(
    _ stored: StoredSchema, _ target: String, _ fileSystem: any FileSystem
  ) throws(StoreError) -> RecordStore {
    do {
      let log = try LogStore.open(target, in: fileSystem) { _ in }
      try log.append(kind: RecordKind.schema) { _ in RecordContent(meta: Array(stored.json.text.utf8)) }
      try log.close()
    } catch {
      throw StoreError(any: error)
    }
    return try RecordStore.open(directory: target, in: fileSystem, schema: nil)
  }
}

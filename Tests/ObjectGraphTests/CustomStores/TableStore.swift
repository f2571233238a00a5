import Annals
import Foundation

/// An incremental store of the tests' own: a table in memory that stands for a server, shared by URL.
class TableStore: NSIncrementalStore, @unchecked Sendable {
  static let storeType = "AnnalsTestsTable"

  /// What the server holds.
  final class Server: @unchecked Sendable {
    // unchecked: behind the lock.
    struct Record {
      var entity: String
      var values: [String: Any]
      var toOne: [String: String]
      var toMany: [String: [String]]
      var version: UInt64
    }
    let lock = NSLock()
    var records: [String: Record] = [:]
    var requests: [String] = []
    var isDown = false

    private static let servers = Servers()
    private final class Servers: @unchecked Sendable {
      let lock = NSLock()
      var byURL: [String: Server] = [:]
    }
    static func at(_ url: URL) -> Server {
      servers.lock.withLock {
        if let known = servers.byURL[url.absoluteString] { return known }
        let server = Server()
        servers.byURL[url.absoluteString] = server
        return server
      }
    }
  }

  private var server: Server { Server.at(url ?? URL(fileURLWithPath: "/")) }

  override func loadMetadata() throws {
    metadata = [NSStoreUUIDKey: identifier ?? "", NSStoreTypeKey: Self.storeType]
  }

  override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
    if server.isDown {
      throw CocoaError(.fileReadUnknown, userInfo: [NSLocalizedDescriptionKey: "The server is down."])
    }
    if let save = request as? NSSaveChangesRequest {
      for object in save.insertedObjects ?? [] { write(object, version: 1) }
      for object in save.updatedObjects ?? [] { write(object, version: (record(object)?.version ?? 0) + 1) }
      for object in save.deletedObjects ?? [] { server.records[name(object.objectID)] = nil }
      return []
    }
    guard let fetch = request as? NSFetchRequest<NSManagedObject>, let entity = fetch.entity, let context else {
      return []
    }
    server.requests.append(fetch.predicate?.formatText ?? "all")
    let ids: [NSManagedObjectID] = server.records.filter { $0.value.entity == entity.name }.keys.sorted()
      .map { newObjectID(for: entity, referenceObject: $0) }
    var found: [NSManagedObject] = ids.map { context.object(with: $0) }
    if let predicate = fetch.predicate {
      // As a server would: by what is stored.
      found = found.filter { object in
        let stored = Stored(values: server.records[name(object.objectID)]?.values ?? [:])
        return predicate.evaluate(with: stored)
      }
    }
    if let sort = fetch.sortDescriptors?.first, let key = sort.key {
      func text(_ object: NSManagedObject) -> String {
        server.records[name(object.objectID)]?.values[key] as? String ?? ""
      }
      found.sort { sort.ascending ? text($0) < text($1) : text($0) > text($1) }
    }
    let rest = found.dropFirst(fetch.fetchOffset)
    return Array(fetch.fetchLimit > 0 ? rest.prefix(fetch.fetchLimit) : rest)
  }

  private struct Stored: KeyValueObject {
    let values: [String: Any]
    func predicateValue(forKey key: String) -> Any? { values[key] }
  }

  override func newValuesForObject(
    with objectID: NSManagedObjectID, with context: NSManagedObjectContext
  ) throws -> NSIncrementalStoreNode {
    guard let record = server.records[name(objectID)] else {
      throw CocoaError(CocoaError.Code(rawValue: NSManagedObjectReferentialIntegrityError))
    }
    return NSIncrementalStoreNode(objectID: objectID, withValues: record.values, version: record.version)
  }

  override func newValue(
    forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
    with context: NSManagedObjectContext?
  ) throws -> Any {
    guard let record = server.records[name(objectID)], let destination = relationship.destinationEntity else {
      return NSNull()
    }
    if relationship.isToMany {
      return (record.toMany[relationship.name] ?? []).map { newObjectID(for: destination, referenceObject: $0) }
    }
    return record.toOne[relationship.name].map { newObjectID(for: destination, referenceObject: $0) } ?? NSNull()
  }

  override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
    array.map { newObjectID(for: $0.entity, referenceObject: UUID().uuidString) }
  }

  private func name(_ id: NSManagedObjectID) -> String { referenceObject(for: id) as? String ?? "" }
  private func record(_ object: NSManagedObject) -> Server.Record? { server.records[name(object.objectID)] }

  private func write(_ object: NSManagedObject, version: UInt64) {
    var record = Server.Record(
      entity: object.entity.name ?? "", values: [:], toOne: [:], toMany: [:], version: version)
    for property in object.entity.properties {
      switch object.value(forKey: property.name) {
      case let other as NSManagedObject: record.toOne[property.name] = name(other.objectID)
      case let others as Set<NSManagedObject>: record.toMany[property.name] = others.map { name($0.objectID) }
      case let value?: record.values[property.name] = value
      case nil: break
      }
    }
    server.records[name(object.objectID)] = record
  }
}

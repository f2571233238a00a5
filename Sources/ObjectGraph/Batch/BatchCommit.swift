internal import Foundation
internal import Model
internal import Schema
internal import StoreContract

/// What batch requests have in common: which entity, and how to commit.
struct BatchCommit {
  /// How often a request starts again because others keep writing in between.
  static let roundsMax = 10

  let context: NSManagedObjectContext
  let coordinator: NSPersistentStoreCoordinator

  /// - Throws: `NSPersistentStoreOperationError` for a name that the model does not have.
  func entity(_ description: NSEntityDescription?, _ name: String) throws -> EntityInfo {
    if let description { return context.entityInfo(of: description) }
    guard let info = context.modelInfo.entitiesByName[name] else {
      throw Self.error("names the entity '\(name)', which is not in the context's model.")
    }
    return info
  }

  func changeSet() -> ChangeSet {
    ChangeSet(
      author: context.transactionAuthor, contextName: context.name, timestamp: Date().timeIntervalSinceReferenceDate,
      rows: RowBuffer(capacityBytes: 4096))
  }

  /// Commits to stores, one transaction each.
  ///
  /// - Returns: `nil` when all is committed, else what is in the way.
  func commit(_ parts: [(NSPersistentStore, ChangeSet)]) throws -> [StoreConflict]? {
    let written: [(NSPersistentStore, ChangeSet)] = parts.filter { !$0.1.changes.isEmpty }
    guard !written.isEmpty else { return nil }
    for outcome in try coordinator.commit(written) {
      if case .conflicted(let conflicts) = outcome, !conflicts.isEmpty { return conflicts }
    }
    return nil
  }

  /// The rows that a request is about, as they are stored now: pending changes and pinned states don't count.
  func find(_ settings: FetchSettings, in stores: [NSPersistentStore]?) throws -> [FetchRun.Found] {
    var plain: FetchSettings = settings
    plain.includesPendingChanges = false
    plain.resultType = .managedObjectIDResultType
    var run = try FetchRun(context: context, settings: plain, affectedStores: stores)
    run.readsNewest = true
    var byStore: [FetchRun.Found] = []
    for part in try run.keys() {
      // A window over several stores in one order comes in runs; each store gets one transaction.
      if let place = byStore.firstIndex(where: { $0.place === part.place }) {
        byStore[place].keys += part.keys
      } else {
        byStore.append(part)
      }
    }
    return byStore
  }

  /// The id of a row.
  func id(_ key: ObjectKey, in place: StorePlaceInContext) -> NSManagedObjectID? {
    place.info(of: key).map { NSManagedObjectID(key: key, info: $0, store: place.store) }
  }

  /// - Throws: `NSManagedObjectConstraintMergeError` that names the constraint.
  func refuse(_ conflicts: [StoreConflict], _ what: String) throws {
    for case .constraint(let entity, let properties, _, let stored) in conflicts {
      let info: EntityInfo = context.modelInfo.entities[entity]
      let names: String = properties.map { info.entity.properties[$0].name }.joined(separator: ", ")
      let with: String = stored == nil ? "another row of the request" : "a stored object"
      throw GraphError.make(
        NSManagedObjectConstraintMergeError,
        "\(what) wrote nothing: a row of \(info.entity.name) would share \(names) with \(with), which must be unique. Set a merge policy that resolves it.",
        userInfo: ["entity": info.entity.name, "constraint": properties.map { info.entity.properties[$0].name }])
    }
  }

  static func busy(_ what: String) -> any Error {
    GraphError.make(
      NSManagedObjectMergeError,
      "\(what) wrote nothing: others changed the same rows each of the \(roundsMax) times it was tried.")
  }

  static func error(_ message: String, underlying: (any Error)? = nil) -> any Error {
    GraphError.make(
      NSPersistentStoreOperationError, "A batch request can't be executed: it \(message)", underlying: underlying)
  }

  /// An attribute's value as rows hold it.
  ///
  /// - Throws: `NSPersistentStoreOperationError` naming entity, key and type for one that it can't hold.
  static func value(_ given: Any?, for property: Int, of info: EntityInfo) throws -> Value {
    let schema: PropertySchema = info.entity.properties[property]
    guard let attribute = schema.attribute else {
      throw error("sets \(info.entity.name).\(schema.name), which is no attribute.")
    }
    guard let given, !(given is NSNull) else { return .null }
    if attribute.type == .transformable {
      let description = info.description.propertyDescriptions[property] as? NSAttributeDescription
      guard let data = description?.transformer?.storedData(of: given) else {
        throw error("sets \(info.entity.name).\(schema.name) to '\(given)', of which its transformer makes no data.")
      }
      return .data(data)
    }
    guard let value = NSManagedObject.converted(given, to: attribute.type), fits(value, attribute.type) else {
      throw error(
        "sets \(info.entity.name).\(schema.name), an attribute of type \(attribute.type.name), to '\(given)' of type \(type(of: given))."
      )
    }
    return value
  }

  private static func fits(_ value: Value, _ type: AttributeType) -> Bool {
    guard case .int(let number) = value else { return true }
    switch type {
    case .integer16: return Int16(exactly: number) != nil
    case .integer32: return Int32(exactly: number) != nil
    default: return true
    }
  }
}

internal import Foundation
internal import Model
internal import Predicates
internal import Schema
internal import StoreContract

/// One batch update on its way into the stores.
struct BatchUpdate {
  private enum NewValue {
    case constant(Value)
    case expression(Predicates.NSExpression)
  }

  private let request: NSBatchUpdateRequest
  private let common: BatchCommit
  private let info: EntityInfo
  private var assignments: [(property: Int, value: NewValue)] = []

  init(
    _ request: NSBatchUpdateRequest, _ context: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator
  ) throws {
    self.request = request
    common = BatchCommit(context: context, coordinator: coordinator)
    info = try common.entity(request.entity, request.entityName)
    for (key, value) in request.propertiesToUpdate ?? [:] {
      let property: Int = try self.property(key)
      assignments.append((property, try newValue(value, property)))
    }
    assignments.sort { $0.property < $1.property }
  }

  func execute() throws -> BatchOutcome {
    var settings = FetchSettings()
    settings.entity = info.description
    settings.entityName = info.entity.name
    settings.predicate = request.predicate
    settings.includesSubentities = request.includesSubentities
    for _ in 0..<BatchCommit.roundsMax {
      // Also without anything to set: a request that can't be executed says so.
      let found: [FetchRun.Found] = try common.find(settings, in: request.affectedStores)
      guard !assignments.isEmpty else { return BatchOutcome() }
      var outcome = BatchOutcome()
      var parts: [(NSPersistentStore, ChangeSet)] = []
      for part in found {
        parts.append((part.place.store, try changes(part)))
        outcome.ids += part.keys.compactMap { common.id($0, in: part.place) }
      }
      guard let conflicts = try common.commit(parts) else { return outcome }
      try common.refuse(conflicts, "The batch update of \(info.entity.name)")
    }
    throw BatchCommit.busy("The batch update of \(info.entity.name)")
  }

  // MARK: what to set

  private func property(_ key: AnyHashable) throws -> Int {
    let name: String? = (key.base as? NSPropertyDescription)?.name ?? key.base as? String
    guard let name, let property = info.property(named: name) else {
      throw BatchCommit.error("updates '\(name ?? "\(key.base)")', which \(info.entity.name) does not have.")
    }
    guard info.hasSlot[property] else {
      throw BatchCommit.error(
        "updates \(info.entity.name).\(name), which is no stored attribute or to-one relationship.")
    }
    guard let relationship = info.entity.properties[property].relationship else { return property }
    if let inverse = relationship.inverse {
      let kept = RelationshipStorage(schema: info.schema, entity: relationship.destination, property: inverse)
      guard kept == .inverseOfRow else {
        throw BatchCommit.error(
          "updates the relationship \(info.entity.name).\(name), whose other side is kept on its own: set it on objects and save."
        )
      }
    }
    return property
  }

  private func newValue(_ given: Any, _ property: Int) throws -> NewValue {
    if let expression = given as? Predicates.NSExpression { return .expression(expression) }
    let schema: PropertySchema = info.entity.properties[property]
    guard let relationship = schema.relationship else {
      return .constant(try BatchCommit.value(given, for: property, of: info))
    }
    if given is NSNull { return .constant(.null) }
    let id: NSManagedObjectID? = (given as? NSManagedObject)?.objectID ?? given as? NSManagedObjectID
    guard let id, !id.isTemporaryID, info.schema.isKind(context(id), of: relationship.destination) else {
      throw BatchCommit.error(
        "sets the relationship \(info.entity.name).\(schema.name) to '\(given)', which is no saved object of '\(info.schema.entities[relationship.destination].name)'."
      )
    }
    return .constant(.object(id.key))
  }

  private func context(_ id: NSManagedObjectID) -> Int { common.context.entityInfo(of: id.entity).index }

  // MARK: writing

  private func changes(_ found: FetchRun.Found) throws -> ChangeSet {
    var changes: ChangeSet = common.changeSet()
    let bound: [(property: Int, value: (Row) throws -> Value)] = try assignments.map { assignment in
      (assignment.property, try reader(assignment.value, assignment.property, found))
    }
    for key in found.keys {
      do {
        guard let row = try found.view.row(for: key), let target = found.place.info(of: key) else { continue }
        var values: [Int: Value] = [:]
        var changed = PropertySet()
        for (property, value) in bound {
          let new: Value = try value(row)
          guard new != row.value(target.slots[property]) else { continue }
          values[property] = new
          changed.insert(property)
        }
        guard !values.isEmpty else { continue }
        let start: Int = try target.entity.layout.encode(key: key, version: row.version, into: changes.rows) {
          property in
          values[property] ?? (target.hasSlot[property] ? row.value(target.slots[property]) : .null)
        }
        changes.changes.append(
          ObjectChange(
            key: key, operation: .update, expectedVersion: row.version, changedProperties: changed, rowOffset: start))
      } catch let error as StoreError {
        throw GraphError.wrapping(error, during: .save, store: found.place.store.storeName)
      }
    }
    return changes
  }

  /// How to get a property's new value from a row.
  private func reader(
    _ value: NewValue, _ property: Int, _ found: FetchRun.Found
  ) throws -> (Row) throws -> Value {
    switch value {
    case .constant(let constant): return { _ in constant }
    case .expression(let expression):
      let name: String = "\(info.entity.name).\(info.entity.properties[property].name)"
      guard let backend = found.place.store.backend else {
        throw common.coordinator.removedStoreError(found.place.store)
      }
      let bound: BoundExpression
      do {
        bound = try PredicateBinder(schema: info.schema, entity: info.index, store: backend.identifier).bind(expression)
      } catch {
        throw BatchCommit.error("sets \(name) to an expression that can't be evaluated: \(error)", underlying: error)
      }
      let view: any StoreView = found.view
      let info: EntityInfo = self.info
      return { row in try Self.fit(try bound.value(row, in: view).first, property, info) }
    }
  }

  /// An expression's value in the property's type.
  private static func fit(_ value: Value, _ property: Int, _ info: EntityInfo) throws -> Value {
    if case .null = value { return .null }
    guard let attribute = info.entity.properties[property].attribute else { return value }
    if case .object = value { return value }
    var given: Any? = NSManagedObject.boxedScalar(value, attribute)
    if case .int(let number) = value { given = NSNumber(value: number) }
    return try BatchCommit.value(given, for: property, of: info)
  }
}

internal import Foundation
internal import Model
internal import Predicates
internal import Schema
internal import StoreContract

/// An incremental store as one context reads it. It has no states to keep: every read is of now.
final class IncrementalView: StoreView, @unchecked Sendable {
  // unchecked: `request` is set by the fetch that made the view, before it reads.
  let schema: Schema
  let commitNumber: UInt64
  private let store: NSIncrementalStore
  private let context: NSManagedObjectContext
  /// The fetch as the program wrote it, which the store is asked to execute where pending changes don't count.
  var request: FetchSettings?

  init(_ store: NSIncrementalStore, _ context: NSManagedObjectContext?, _ schema: Schema, commitNumber: UInt64) {
    self.store = store
    self.schema = schema
    self.commitNumber = commitNumber
    if let context {
      self.context = context
    } else {
      // Somebody reads without a context: the store is asked on behalf of one of nobody's.
      self.context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      self.context.persistentStoreCoordinator = store.persistentStoreCoordinator
    }
  }

  // MARK: objects

  func entityIndex(of key: ObjectKey) -> Int { store.core.info(of: key)?.index ?? 0 }

  func row(for key: ObjectKey) throws(StoreError) -> Row? {
    guard let info = store.core.info(of: key), let id = store.core.objectID(key, in: store) else { return nil }
    let node: NSIncrementalStoreNode
    do { node = try asking { try store.newValuesForObject(with: id, with: context) } } catch {
      if (error as NSError).code == NSManagedObjectReferentialIntegrityError { return nil }
      throw StoreError(program: error, store)
    }
    var problem: StoreError?
    let buffer = RowBuffer()
    let start: Int = try ProgramRows.encode(key, version: node.version, info, into: buffer) { name in
      guard let property = info.description.propertiesByName[name] else { return nil }
      if let value = node.value(for: property) { return value }
      guard let relationship = property as? NSRelationshipDescription, !relationship.isToMany else { return nil }
      do throws(StoreError) { return try related(relationship, id) } catch {
        problem = error
        return nil
      }
    }
    if let problem { throw problem }
    return buffer.row(at: start)
  }

  func forEachMember(
    of key: ObjectKey, relationship property: Int, _ body: (ObjectKey) throws(StoreError) -> Bool
  ) throws(StoreError) {
    for member in try members(of: key, property) where try !body(member) { return }
  }

  func memberCount(of key: ObjectKey, relationship property: Int) throws(StoreError) -> Int {
    try members(of: key, property).count
  }

  private func members(of key: ObjectKey, _ property: Int) throws(StoreError) -> [ObjectKey] {
    guard let info = store.core.info(of: key), let id = store.core.objectID(key, in: store),
      let relationship = info.description.propertyDescriptions[property] as? NSRelationshipDescription
    else { return [] }
    let keys: [ObjectKey] = ProgramRows.members(try related(relationship, id))
    let isOrdered: Bool = relationship.isOrdered
    return isOrdered ? keys : keys.sorted()
  }

  private func related(_ relationship: NSRelationshipDescription, _ id: NSManagedObjectID) throws(StoreError) -> Any {
    do {
      return try asking { try store.newValue(forRelationship: relationship, forObjectWith: id, with: context) }
    } catch { throw StoreError(program: error, store) }
  }

  // MARK: fetches

  func keys(
    for plan: FetchPlan, overlay: (any PendingOverlay)?, report: FetchReport?
  ) throws(StoreError) -> [ObjectKey] {
    report?.access = "what \(type(of: store)) answers"
    if overlay == nil, let request {
      let found: [ObjectKey] = try execute(plan, request.predicate, request.sortDescriptors, isWindowed: true)
      report?.rowsReturned = found.count
      return plan.limit > 0 ? Array(found.prefix(plan.limit)) : found
    }
    let keys: [ObjectKey] = try judged(plan, overlay)
    report?.rowsReturned = keys.count
    return keys
  }

  func count(for plan: FetchPlan) throws(StoreError) -> Int { try keys(for: plan, overlay: nil).count }

  /// The keys of all objects of the entity, judged and put in order here: the store knows nothing of pending changes.
  private func judged(_ plan: FetchPlan, _ overlay: (any PendingOverlay)?) throws(StoreError) -> [ObjectKey] {
    let source: any ObjectSource = overlay ?? self
    var rows: [Row] = []
    for key in try execute(plan, nil, nil, isWindowed: false) {
      if let overlay, overlay.isChanged(key) { continue }
      guard let row = try row(for: key) else { continue }
      if let predicate = plan.predicate, try !predicate.matches(row, in: source) { continue }
      rows.append(row)
    }
    if !plan.sort.isEmpty { try sort(&rows, by: plan.sort, in: source) }
    let start: Int = min(plan.offset, rows.count)
    let end: Int = plan.limit == 0 ? rows.count : min(start + plan.limit, rows.count)
    return rows[start..<end].map { $0.key }
  }

  private func sort(_ rows: inout [Row], by sort: [BoundSort], in source: any ObjectSource) throws(StoreError) {
    var problem: StoreError?
    rows.sort { a, b in
      do throws(StoreError) {
        for descriptor in sort {
          let order: Int = try descriptor.compare(a, b, in: source)
          if order != 0 { return order < 0 }
        }
      } catch { problem = error }
      return a.key < b.key
    }
    if let problem { throw problem }
  }

  private func execute(
    _ plan: FetchPlan, _ predicate: NSPredicate?, _ sort: [NSSortDescriptor]?, isWindowed: Bool
  ) throws(StoreError) -> [ObjectKey] {
    let request = NSFetchRequest<NSManagedObject>()
    request.entity = store.core.entities[plan.entity].description
    request.includesSubentities = plan.includesSubentities
    request.predicate = predicate
    request.sortDescriptors = sort
    if isWindowed { (request.fetchLimit, request.fetchOffset) = (plan.limit, plan.offset) }
    let answer: Any
    do { answer = try asking { try store.execute(request, with: context) } } catch {
      throw StoreError(program: error, store)
    }
    guard let list = answer as? [Any] else {
      throw StoreError(
        .inputOutput, "\(type(of: store)).execute answered a fetch with \(type(of: answer)) in place of an array.")
    }
    return list.compactMap { ProgramRows.key(of: $0) }
  }

  /// Takes turns with everybody else who asks the store.
  private func asking<Answer>(_ ask: () throws -> Answer) throws -> Answer {
    guard let coordinator = store.persistentStoreCoordinator else { return try ask() }
    return try coordinator.performAndWait(ask)
  }
}

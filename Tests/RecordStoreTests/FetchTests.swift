import FileSystem
import Foundation
import Predicates
import Schema
import StoreContract
import Testing

@testable import RecordStore

@Suite("Fetches")
struct FetchTests {
  typealias Work = Library.Work
  typealias Shelf = Library.Shelf

  /// 300 works on five shelves, some changed and deleted afterwards, so that rows are not stored in the order of keys.
  private static func filled() throws -> RecordStore {
    let store = try TestStore.memory()
    let draft = Draft(store)
    let shelves = try (0..<5).map { try draft.insert(Library.shelf, [Shelf.label: .string("shelf \($0)")]) }
    var works: [ObjectKey] = []
    for number in 0..<300 {
      let values: [Int: Value] = [
        Work.title: number % 10 == 0 ? .null : .string("Tïtle \(number % 50)"),
        Work.pages: .int(Int64(number * 7 % 100)), Work.shelf: .object(shelves[number % 5]),
        Work.code: .string("code-\(number)"),
      ]
      works.append(try draft.insert(number % 3 == 0 ? Library.record : Library.book, values))
    }
    try draft.commit()
    let change = Draft(store)
    for number in stride(from: 0, to: 300, by: 4) { try change.update(works[number], [Work.pages: .int(55)]) }
    for number in stride(from: 1, to: 300, by: 11) where number % 4 != 0 { try change.delete(works[number]) }
    try change.commit()
    return store
  }

  private func plan(
    _ store: RecordStore, _ entity: Int, _ format: String?, _ arguments: Any?..., sort: [(String, Bool)] = [],
    limit: Int = 0, offset: Int = 0, subentities: Bool = true
  ) throws -> FetchPlan {
    let binder = PredicateBinder(schema: store.schema, entity: entity, store: store.identifier)
    let predicate = try format.map { try binder.bind(NSPredicate(format: $0, argumentArray: arguments as [Any])) }
    let sorts = try sort.map { try binder.bind(NSSortDescriptor(key: $0.0, ascending: $0.1)) }
    return FetchPlan(
      entity: entity, includesSubentities: subentities, predicate: predicate, sort: sorts, limit: limit, offset: offset)
  }

  /// What a plan must give, by reading everything.
  private func expected(_ view: RecordView, _ plan: FetchPlan) throws -> [ObjectKey] {
    let entities = plan.includesSubentities ? view.schema.descendants[plan.entity] : [plan.entity]
    var rows: [Row] = []
    for entity in entities {
      try view.root.forEachRow(entity, view.core.plan, view.core.blocks) { rows.append($0) }
    }
    rows = try rows.filter { try plan.predicate?.matches($0, in: view) ?? true }
    try rows.sort { a, b in
      for sort in plan.sort {
        let order = try sort.compare(a, b, in: view)
        if order != 0 { return order < 0 }
      }
      return a.key < b.key
    }
    let end = plan.limit > 0 ? min(plan.offset + plan.limit, rows.count) : rows.count
    return rows[min(plan.offset, end)..<end].map(\.key)
  }

  @Test(
    "Comparisons of one attribute, wherever they stand, make one range of its index, which is also its order",
    arguments: [
      "pages >= 40 AND pages < 43", "pages < 43 AND code != 'x' AND pages >= 40",
      "pages BETWEEN {0, 42} AND pages > 39",
      "pages >= 40 AND (pages <= 42 AND pages != 1000)",
    ])
  func oneRange(format: String) throws {
    let store = try Self.filled()
    let view = store.latest
    for sort in [[], [("pages", true)], [("pages", false), ("code", true)]] {
      let plan = try self.plan(store, Library.work, format, sort: sort)
      let report = FetchReport()
      let found = try view.keys(for: plan, overlay: nil, report: report)
      #expect(found == (try expected(view, plan)))
      #expect(report.indexes == ["index on Work.pages"])
      #expect(report.rowsScanned < 20)
      #expect(report.order.hasPrefix("by index on Work.pages") == !sort.isEmpty)
    }
    let report = FetchReport()
    let none = try plan(store, Library.work, "pages > 60 AND pages < 50")
    #expect(try view.keys(for: none, overlay: nil, report: report).isEmpty)
    #expect(report.rowsScanned == 0)
  }

  @Test(
    "Whatever index answers a predicate, the objects are those that a look at every row finds",
    arguments: [
      nil, "pages == 55", "pages IN {7, 14, 55}", "pages BETWEEN {10, 12}", "pages > 98", "pages < 50 AND code != 'x'",
      "code == 'code-33'", "code IN {'code-1', 'code-2', 'code-299', 'none'}", "title == nil", "pages == nil",
      "folded BEGINSWITH 'title 4'", "folded == 'title 7'", "shelf.label == 'shelf 2' AND pages == 55",
      "ANY tags.name == 'x'", "pages == 55 OR code == 'code-33'", "NOT pages == 55", "TRUEPREDICATE", "FALSEPREDICATE",
      "shelf != nil AND folded >= 'title 4' AND folded < 'title 45'", "code == nil", "pages IN {}",
    ] as [String?])
  func indexesOnlyNarrow(format: String?) throws {
    let store = try Self.filled()
    let view = store.latest
    for entity in [Library.work, Library.book, Library.record] {
      for subentities in [true, false] {
        for (limit, offset) in [(0, 0), (5, 0), (7, 3), (0, 290), (1000, 2)] {
          for sort in [[], [("pages", true)], [("title", false), ("pages", true)]] {
            let plan = try plan(
              store, entity, format, sort: sort, limit: limit, offset: offset, subentities: subentities)
            let wanted = try expected(view, plan)
            #expect(try view.keys(for: plan, overlay: nil) == wanted)
            #expect(try view.count(for: plan) == wanted.count)
          }
        }
      }
    }
  }

  @Test("A to-one relationship and the object itself are looked up, not searched for")
  func relationshipsAndSelf() throws {
    let store = try Self.filled()
    let view = store.latest
    let shelf = try #require(try view.all(Library.shelf).last)
    let book = try #require(try view.all(Library.book).first)
    let binder = PredicateBinder(schema: store.schema, entity: Library.work, store: store.identifier)
    let onShelf = try binder.bind(NSPredicate(format: "shelf == %@", Key(key: shelf)))
    let found = try view.keys(for: FetchPlan(entity: Library.work, predicate: onShelf), overlay: nil)
    #expect(found == (try view.members(shelf, Shelf.works)))
    let itself = try binder.bind(NSPredicate(format: "SELF == %@", Key(key: book)))
    #expect(try view.keys(for: FetchPlan(entity: Library.work, predicate: itself), overlay: nil) == [book])
    #expect(try view.keys(for: FetchPlan(entity: Library.record, predicate: itself), overlay: nil) == [])
    let finder = CandidateFinder(view: view, entities: store.schema.descendants[Library.work])
    #expect(try finder.candidates(for: onShelf) == found)
    #expect(try finder.candidates(for: itself) == [book])
  }

  @Test("Unique values, fetch indexes and ranges that leave out most objects give candidates; others don't")
  func candidates() throws {
    let store = try Self.filled()
    let finder = CandidateFinder(view: store.latest, entities: store.schema.descendants[Library.work])
    let binder = PredicateBinder(schema: store.schema, entity: Library.work, store: store.identifier)
    func count(_ format: String) throws -> Int? {
      try finder.candidates(for: binder.bind(NSPredicate(format: format)))?.count
    }
    #expect(try count("code == 'code-33'") == 1)
    #expect(try count("code == 'code-33' AND pages == 55") == 1)
    #expect(try count("pages == 14") ?? 300 < 10)
    #expect(try count("pages > 97") ?? 300 < 20)
    #expect(try count("pages > 1") == nil)
    #expect(try count("shelf.label == 'shelf 1'") ?? 300 <= 60)
    #expect(try count("shelf.label == 'no such shelf'") == 0)
    #expect(try count("shelf.label != 'shelf 1'") == nil)
    #expect(try count("code == 'code-33' OR code == 'code-40'") == 2)
    #expect(try count("code == 'code-33' OR pages == 14") ?? 300 < 10)
    #expect(try count("code == 'code-33' OR title == 'x'") == nil)
  }

  @Test("Objects that the overlay has changed are left out, before the window is applied")
  func overlay() throws {
    let store = try Self.filled()
    let view = store.latest
    let all = try view.all(Library.book)
    let overlay = Overlay(view: view, changed: [all[0], all[3]])
    var plan = FetchPlan(entity: Library.book, limit: 3)
    #expect(try view.keys(for: plan, overlay: overlay) == [all[1], all[2], all[4]])
    let binder = PredicateBinder(schema: store.schema, entity: Library.book, store: store.identifier)
    plan = FetchPlan(
      entity: Library.book, predicate: try binder.bind(NSPredicate(format: "pages == 55")))
    let wanted = try view.keys(for: plan, overlay: nil).filter { !overlay.changed.contains($0) }
    #expect(try view.keys(for: plan, overlay: overlay) == wanted)
  }
}

private struct Key: ObjectKeyConvertible {
  let key: ObjectKey
  func objectKey(inStore identifier: UUID) -> ObjectKey? { key }
  var predicateIdentity: AnyHashable { key }
}

private final class Overlay: PendingOverlay {
  let view: RecordView
  let changed: Set<ObjectKey>
  var schema: Schema { view.schema }

  init(view: RecordView, changed: Set<ObjectKey>) {
    self.view = view
    self.changed = changed
  }

  func isChanged(_ key: ObjectKey) -> Bool { changed.contains(key) }
  func row(for key: ObjectKey) throws(StoreError) -> Row? { try view.row(for: key) }
  func entityIndex(of key: ObjectKey) -> Int { view.entityIndex(of: key) }
  func forEachMember(
    of key: ObjectKey, relationship property: Int, _ body: (ObjectKey) throws(StoreError) -> Bool
  ) throws(StoreError) {
    try view.forEachMember(of: key, relationship: property, body)
  }
  func memberCount(of key: ObjectKey, relationship property: Int) throws(StoreError) -> Int {
    try view.memberCount(of: key, relationship: property)
  }
}

import FileSystem
import Foundation
import Schema
import StoreContract
import Testing

@testable import RecordStore

@Suite("Random commits")
struct RandomCommitTests {
  @Test(
    "After any commits the store holds what a simple model holds, and indexes are those of the rows", arguments: 0..<12)
  func againstModel(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let files = MemoryFileSystem()
    var store = try TestStore.open(files)
    var model = LibraryModel()
    for step in 0..<60 {
      let draft = Draft(store)
      let next = try model.step(draft, &random)
      if try draft.conflicts().isEmpty {
        #expect(next.hasConflict == false)
        model = next
      } else {
        #expect(next.hasConflict)
      }
      if step % 10 == 9 {
        try store.latest.checkInvariants()
        try model.check(store.latest)
      }
      if step % 20 == 19 {
        try store.close()
        store = try TestStore.open(files)
        try model.check(store.latest)
      }
    }
    let inspection = try StoreInspection(directory: "/library", in: files)
    // Members that are deleted leave to-one relationships behind: warnings, but no damage.
    #expect(try inspection.verify().findings.filter { $0.severity == .damage }.map(\.message) == [])
  }
}

/// The library as plain values: what the store must agree with.
struct LibraryModel {
  struct Work {
    var title: String?
    var pages: Int64
    var shelf: ObjectKey?
    var code: String?
    var tags: Set<ObjectKey> = []
  }
  var works: [ObjectKey: Work] = [:]
  var shelves: [ObjectKey: String] = [:]
  var tags: Set<ObjectKey> = []
  var lists: [ObjectKey: [ObjectKey: Double]] = [:]
  /// Whether unique values are shared.
  var hasConflict: Bool {
    let codes = works.values.compactMap(\.code)
    return Set(codes).count != codes.count || Set(shelves.values).count != shelves.count
  }

  /// Puts a few random changes into a draft, and returns the model after them.
  func step(_ draft: Draft, _ random: inout SeededGenerator) throws -> LibraryModel {
    var next = self
    var touched: Set<ObjectKey> = []
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      try next.change(draft, &touched, &random)
    }
    return next
  }

  private func pick<Keys: Collection<ObjectKey>>(
    _ keys: Keys, _ touched: Set<ObjectKey>, _ random: inout SeededGenerator
  ) -> ObjectKey? {
    let free = keys.filter { !touched.contains($0) }.sorted()
    return free.randomElement(using: &random)
  }

  private mutating func change(
    _ draft: Draft, _ touched: inout Set<ObjectKey>, _ random: inout SeededGenerator
  ) throws {
    switch Int.random(in: 0..<16, using: &random) {
    case 0:
      let label = "label \(Int.random(in: 0..<40, using: &random))"
      let key = try draft.insert(Library.shelf, [Library.Shelf.label: .string(label)])
      shelves[key] = label
      touched.insert(key)
    case 1:
      let key = try draft.insert(Library.tag, [Library.Tag.name: .string("tag")])
      tags.insert(key)
      touched.insert(key)
    case 2...6: try insertWork(draft, &touched, &random)
    case 7...10:
      guard let key = pick(works.keys, touched, &random) else { return }
      touched.insert(key)
      try updateWork(key, draft, &random)
    case 11:
      guard let key = pick(works.keys, touched, &random) else { return }
      touched.insert(key)
      try draft.delete(key)
      works[key] = nil
      for list in lists.keys { lists[list]?[key] = nil }
    case 12:
      guard let key = pick(shelves.keys, touched, &random) else { return }
      touched.insert(key)
      try draft.delete(key)
      shelves[key] = nil
    case 13:
      guard let key = pick(tags, touched, &random) else { return }
      touched.insert(key)
      try draft.delete(key)
      tags.remove(key)
      for work in works.keys { works[work]?.tags.remove(key) }
    case 14:
      let key = try draft.insert(Library.list, [:])
      lists[key] = [:]
      touched.insert(key)
    default:
      guard let list = pick(lists.keys, touched, &random), let work = works.keys.sorted().randomElement(using: &random)
      else { return }
      touched.insert(list)
      // A member that this very change set deletes is no member.
      let position = Double(Int.random(in: 0..<5, using: &random))
      let member = LinkChange.Member(key: work, position: position)
      try draft.update(
        list, links: [LinkChange(relationship: Library.List.entries, added: [member], removed: [])])
      lists[list]?[work] = position
      touched.insert(work)
    }
  }

  private mutating func insertWork(
    _ draft: Draft, _ touched: inout Set<ObjectKey>, _ random: inout SeededGenerator
  ) throws {
    var work = Work(title: nil, pages: Int64.random(in: 0..<50, using: &random))
    work.title = Bool.random(using: &random) ? "Tïtle \(random.next() % 20)" : nil
    work.shelf = Bool.random(using: &random) ? shelves.keys.sorted().randomElement(using: &random) : nil
    work.code = Bool.random(using: &random) ? "code \(random.next() % 400)" : nil
    var links: [LinkChange] = []
    if let tag = tags.sorted().randomElement(using: &random) {
      work.tags = [tag]
      touched.insert(tag)
      links = [link(Library.Work.tags, add: [tag])]
    }
    if let shelf = work.shelf { touched.insert(shelf) }
    let entity = Bool.random(using: &random) ? Library.book : Library.record
    let key = try draft.insert(entity, Self.values(work), links: links)
    works[key] = work
    touched.insert(key)
  }

  private mutating func updateWork(_ key: ObjectKey, _ draft: Draft, _ random: inout SeededGenerator) throws {
    guard var work = works[key] else { return }
    var links: [LinkChange] = []
    var values: [Int: Value] = [:]
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      work.pages = Int64.random(in: 0..<50, using: &random)
      values[Library.Work.pages] = .int(work.pages)
    case 1:
      work.shelf = nil
      values[Library.Work.shelf] = .null
    case 2:
      work.code = "code \(random.next() % 400)"
      values[Library.Work.code] = work.code.map { .string($0) }
    default:
      guard let tag = work.tags.sorted().first else { return }
      work.tags = []
      links = [link(Library.Work.tags, remove: [tag])]
    }
    works[key] = work
    try draft.update(key, values, links: links)
  }

  private static func values(_ work: Work) -> [Int: Value] {
    [
      Library.Work.title: work.title.map { .string($0) } ?? .null, Library.Work.pages: .int(work.pages),
      Library.Work.shelf: work.shelf.map { .object($0) } ?? .null,
      Library.Work.code: work.code.map { .string($0) } ?? .null,
    ]
  }

  /// Compares everything, derived values included.
  func check(_ view: RecordView) throws {
    #expect(try view.all(Library.work) == works.keys.sorted())
    #expect(try view.all(Library.shelf) == shelves.keys.sorted())
    #expect(try view.all(Library.tag) == tags.sorted())
    for (key, work) in works {
      for (property, value) in Self.values(work) { #expect(try view.value(key, property) == value) }
      let folded: Value = work.title.map { .string($0.lowercased().replacingOccurrences(of: "ï", with: "i")) } ?? .null
      #expect(try view.value(key, Library.Work.folded) == folded)
      let label: Value = work.shelf.flatMap { shelves[$0] }.map { .string($0.uppercased()) } ?? .null
      #expect(try view.value(key, Library.Work.shelfLabel) == label)
      #expect(try view.members(key, Library.Work.tags) == work.tags.sorted())
    }
    for shelf in shelves.keys {
      let members = works.filter { $0.value.shelf == shelf }
      #expect(try view.members(shelf, Library.Shelf.works) == members.keys.sorted())
      #expect(try view.value(shelf, Library.Shelf.workCount) == .int(Int64(members.count)))
      #expect(try view.value(shelf, Library.Shelf.pages) == .int(members.values.reduce(0) { $0 + $1.pages }))
      #expect(
        try view.value(shelf, Library.Shelf.longest) == members.values.map(\.pages).max().map { .int($0) } ?? .null)
    }
    for tag in tags {
      let members = works.filter { $0.value.tags.contains(tag) }
      #expect(try view.members(tag, Library.Tag.works) == members.keys.sorted())
      #expect(try view.value(tag, Library.Tag.workCount) == .int(Int64(members.count)))
    }
    for (list, entries) in lists {
      let order = entries.keys.sorted { (entries[$0]!, $0) < (entries[$1]!, $1) }
      #expect(try view.members(list, Library.List.entries) == order)
      #expect(try view.value(list, Library.List.entryCount) == .int(Int64(order.count)))
    }
  }
}

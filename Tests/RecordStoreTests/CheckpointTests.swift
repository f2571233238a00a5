import FileSystem
import Foundation
import Schema
import StoreContract
import Testing

@testable import RecordStore

/// B088: side files are only caches. Opening from one gives what reading the whole log gives; whatever is wrong with one
/// costs time, never data.
@Suite("Checkpoints")
struct CheckpointTests {
  /// A store in which each kind of index holds something, closed; with a checkpoint before its last commits.
  static func filled(
    _ files: any FileSystem, seed: UInt64 = 1, steps: Int = 30, checkpointAt: Set<Int> = [20]
  ) throws -> LibraryModel {
    var random = SeededGenerator(seed: seed)
    let store = try TestStore.open(files, options: options())
    var model = LibraryModel()
    for step in 0..<steps {
      let draft = Draft(store)
      draft.metadata["step"] = "\(step)"
      let next = try model.step(draft, &random)
      if try draft.conflicts().isEmpty { model = next }
      if checkpointAt.contains(step) { try store.writeCheckpoint() }
    }
    try store.close()
    return model
  }

  static func options(_ tailBytes: UInt64 = 8 << 20, readOnly: Bool = false) -> RecordStoreOptions {
    var options = RecordStoreOptions(isReadOnly: readOnly, segmentBytesMax: 16 << 10)
    options.checkpointTailBytes = tailBytes
    options.createUUID = { UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)) }
    return options
  }

  static func checkpoints(_ files: any FileSystem) throws -> [String] {
    try files.list("/library").filter { $0.hasPrefix("checkpoint-") }
  }

  /// The store read from the start of its log: what every other way of opening must give.
  static func replayed(_ files: any FileSystem) throws -> RecordStore {
    let bare = MemoryFileSystem()
    try copy(files, to: bare) { !$0.hasPrefix("checkpoint-") }
    let store = try TestStore.open(bare, nil, options: options(readOnly: true))
    #expect(store.opening.checkpointNumber == nil)
    return store
  }

  static func copy(
    _ files: any FileSystem, to other: any FileSystem, _ isWanted: (String) -> Bool = { _ in true }
  ) throws {
    try other.createDirectory("/library")
    for name in try files.list("/library") where isWanted(name) { try copy("/library/\(name)", files, to: other) }
  }

  static func copy(_ path: String, _ files: any FileSystem, to other: any FileSystem) throws {
    try write(try bytes(path, files), path, other)
  }

  static func bytes(_ path: String, _ files: any FileSystem) throws -> [UInt8] {
    let file = try files.open(path, .read)
    var bytes = [UInt8](repeating: 0, count: Int(try file.size()))
    _ = try bytes.withUnsafeMutableBytes { try file.read(at: 0, into: $0) }
    return bytes
  }

  static func write(_ bytes: [UInt8], _ path: String, _ files: any FileSystem) throws {
    if try files.exists(path) { try files.remove(path) }
    let file = try files.open(path, .createNew)
    try bytes.withUnsafeBytes { try file.write($0, at: 0) }
    try file.close()
  }

  static func expectSame(_ a: RecordStore, _ b: RecordStore) throws {
    #expect(a.metadata == b.metadata)
    #expect(a.tally == b.tally)
    let (left, right) = (a.latest.root, b.latest.root)
    #expect(left.commitNumber == right.commitNumber)
    for (index, table) in a.core.plan.linkTables.enumerated()
    where a.core.plan.entities[table.entity].isOrdered[table.property] {
      #expect(try left.links[index].pairs(withPayloads: true) == right.links[index].pairs(withPayloads: true))
    }
    for entity in left.locations.indices {
      #expect(try places(left.locations[entity]) == places(right.locations[entity]))
      #expect(left.locations[entity].count == right.locations[entity].count)
    }
    for (mine, other) in zip(left.allTrees, right.allTrees) {
      #expect(try mine.pairs() == other.pairs())
      #expect(mine.fault() == nil)
    }
    for number in 0..<b.core.blocks.count {
      #expect(a.core.blocks.addresses[number] == b.core.blocks.addresses[number])
    }
    for entity in b.schema.entities.indices {
      let key = try a.reserveKeys(entity: entity, count: 0)
      #expect(try b.reserveKeys(entity: entity, count: 0) == key)
    }
    try a.latest.checkInvariants()
  }

  private static func places(_ index: LocationIndex) throws -> [UInt64: UInt64] {
    var places: [UInt64: UInt64] = [:]
    try index.visitAll { ordinal, location in
      places[ordinal] = location.rawValue
      return true
    }
    return places
  }

  @Test("Opening from a checkpoint and the records behind it gives what reading all records gives", arguments: 0..<10)
  func sameAsReplay(seed: Int) throws {
    let files = MemoryFileSystem()
    var random = SeededGenerator(seed: UInt64(seed) + 77)
    let points = Set((0..<3).map { _ in Int.random(in: 0..<40, using: &random) })
    var model = try Self.filled(files, seed: UInt64(seed), steps: 40, checkpointAt: points)
    #expect(try Self.checkpoints(files).count == 1)
    for round in 0..<4 {
      let replayed = try Self.replayed(files)
      let store = try TestStore.open(files, options: Self.options())
      #expect(store.opening.checkpointNumber != nil)
      #expect(store.opening.ignoredCheckpoints.isEmpty)
      #expect(UInt64(store.opening.replayedRecords) == store.core.log.lastNumber - store.opening.checkpointNumber!)
      try Self.expectSame(store, replayed)
      try model.check(store.latest)
      // What was opened from pages is changed, and a checkpoint is made of that.
      for _ in 0..<10 {
        let draft = Draft(store)
        let next = try model.step(draft, &random)
        if try draft.conflicts().isEmpty { model = next }
      }
      try model.check(store.latest)
      if round % 2 == 0 { try store.writeCheckpoint() }
      try store.close()
    }
    let inspection = try StoreInspection(directory: "/library", in: files)
    #expect(try inspection.verify().findings.filter { $0.severity == .damage }.map(\.message) == [])
  }

  @Test("Random schemas and rows: the indexes of a checkpoint and its tail are those of the rows", arguments: 0..<8)
  func randomWorlds(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let files = MemoryFileSystem()
    var world = RandomWorld(&random)
    var store = try TestStore.open(files, world.schema, options: Self.options())
    for round in 0..<4 {
      for _ in 0..<6 { try world.change(store, &random) }
      try store.writeCheckpoint()
      for _ in 0..<round * 2 { try world.change(store, &random) }
      try store.close()
      let replayed = try Self.replayed(files)
      store = try TestStore.open(files, world.schema, options: Self.options())
      #expect(store.opening.checkpointNumber != nil)
      try Self.expectSame(store, replayed)
    }
  }

  @Test("A snapshot taken before a checkpoint, and one read from it, stay as they are while commits go on")
  func snapshotsStay() throws {
    let files = MemoryFileSystem()
    let model = try Self.filled(files)
    let store = try TestStore.open(files, options: Self.options())
    let view = store.latest
    var random = SeededGenerator(seed: 5)
    var later = model
    for _ in 0..<40 {
      let draft = Draft(store)
      let next = try later.step(draft, &random)
      if try draft.conflicts().isEmpty { later = next }
    }
    try store.writeCheckpoint()
    try model.check(view)
    try later.check(store.latest)
  }

  @Test("Many threads may be the first to look into a checkpoint at the same time")
  func threads() async throws {
    let files = MemoryFileSystem()
    let model = try Self.filled(files, steps: 120, checkpointAt: [110])
    for _ in 0..<5 {
      let store = try TestStore.open(files, options: Self.options(readOnly: true))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 { group.addTask { try store.latest.checkInvariants() } }
        try await group.waitForAll()
      }
      try model.check(store.latest)
    }
  }

  @Test("Opening looks at as many pages for a hundred times the objects, and opens no segment but the last")
  func constantTime() throws {
    var looks: [Int] = []
    for objects in [100, 10_000] {
      let files = MemoryFileSystem()
      let store = try TestStore.open(files, options: Self.options())
      for start in stride(from: 0, to: objects, by: 100) {
        let draft = Draft(store)
        for number in start..<start + 100 {
          try draft.insert(Library.book, [Library.Work.code: .string("code \(number)")])
        }
        try draft.commit()
      }
      try store.writeCheckpoint()
      let draft = Draft(store)
      try draft.insert(Library.tag)
      try draft.commit()
      try store.close()
      for name in try files.list("/library") where name.hasSuffix(".seg") {
        // Nothing but the last segment is looked into.
        if name != (try files.list("/library").last { $0.hasSuffix(".seg") }) {
          try Self.write([], "/library/\(name)", files)
        }
      }
      let again = try TestStore.open(files, options: Self.options())
      #expect(again.opening.replayedRecords == 1)
      looks.append(try #require(again.core.pages).lookCount)
      #expect(again.latest.root.locations[Library.book].count == objects)
    }
    // The root of each tree; no more however large they are.
    #expect(looks[1] <= looks[0] + 2)
    #expect(looks[1] < 30)
  }

  @Test("A checkpoint is written behind enough records, in the background, and at closing; the older goes")
  func written() throws {
    let files = MemoryFileSystem()
    var store = try TestStore.open(files, options: Self.options(20_000))
    func commit(_ count: Int) throws {
      for _ in 0..<count {
        let draft = Draft(store)
        try draft.insert(Library.book, [Library.Work.title: .string(String(repeating: "x", count: 400))])
        try draft.commit()
      }
    }
    try commit(10)
    store.checkpoints.wait()
    #expect(try Self.checkpoints(files).isEmpty)
    try commit(200)
    store.checkpoints.wait()
    let inBackground = try Self.checkpoints(files)
    #expect(inBackground.count == 1)
    try store.writeCheckpoint()
    try store.close()
    // A tail that is read in no time is not worth a checkpoint.
    store = try TestStore.open(files, options: Self.options(1 << 30))
    let names = try Self.checkpoints(files)
    try commit(1)
    try store.close()
    #expect(try Self.checkpoints(files) == names)
    store = try TestStore.open(files, options: Self.options(1 << 30))
    try commit(150)
    try store.close()
    #expect(try Self.checkpoints(files).count == 1)
    #expect(try Self.checkpoints(files) != names)
    store = try TestStore.open(files, options: Self.options(readOnly: true))
    #expect(store.opening.replayedRecords == 0)
    #expect(try store.latest.all(Library.book).count == 361)
  }

  @Test("None is written where none is wanted, nor by a store that is only read")
  func notWritten() throws {
    let files = MemoryFileSystem()
    let store = try TestStore.open(files, options: Self.options(0))
    for _ in 0..<200 {
      let draft = Draft(store)
      try draft.insert(Library.book, [Library.Work.title: .string(String(repeating: "x", count: 400))])
      try draft.commit()
    }
    try store.close()
    #expect(try Self.checkpoints(files).isEmpty)
    let reader = try TestStore.open(files, options: Self.options(1, readOnly: true))
    #expect(throws: StoreError.self) { try reader.writeCheckpoint() }
    try reader.close()
    #expect(try Self.checkpoints(files).isEmpty)
  }
}

extension RecordStore {
  var tally: StoreTally { published.withLock { $0.tally } }
}

extension StoreRoot {
  var allTrees: [SortedTree] { Array([columns, links, mirrors, uniques, fetches].joined()) }
}

extension SortedTree {
  /// Positions of members are kept only in relationships that are ordered; elsewhere they need not be the same.
  func pairs(withPayloads: Bool = false) throws -> [[UInt64]] {
    var pairs: [[UInt64]] = []
    try forEach(from: IndexEntry(0, 0), through: IndexEntry(.max, .max)) { entry, payload in
      pairs.append([entry.major, entry.minor, withPayloads ? payload : 0])
      return true
    }
    return pairs
  }
}

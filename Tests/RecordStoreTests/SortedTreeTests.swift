import Schema
import Testing

@testable import RecordStore

@Suite("Index trees")
struct IndexTreeTests {
  @Test("A sorted tree holds what a dictionary holds, through any insertions and removals", arguments: 0..<6)
  func againstDictionary(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    // Few majors: long runs of members under one; many: a sparse index.
    let majors = UInt64([3, 40, 5000][seed % 3])
    var tree = SortedTree(hasPayloads: true)
    var model: [IndexEntry: UInt64] = [:]
    for edit in 1...60 {
      for _ in 0..<Int.random(in: 1...200, using: &random) {
        let entry = IndexEntry(.random(in: 0..<majors, using: &random), .random(in: 0..<300, using: &random))
        if Int.random(in: 0..<10, using: &random) < (edit < 40 ? 7 : 3) {
          let payload = random.next()
          #expect(tree.insert(entry, payload: payload, edit: UInt64(edit)) == (model[entry] == nil))
          model[entry] = payload
        } else {
          #expect(tree.remove(entry, edit: UInt64(edit)) == (model.removeValue(forKey: entry) != nil))
        }
      }
      #expect(tree.fault() == nil)
      #expect(tree.count == model.count)
    }
    #expect(try tree.entries() == model.keys.sorted())
    for (entry, payload) in model { #expect(tree.payload(of: entry) == payload) }
    for major in 0..<min(majors, 50) {
      let expected = model.keys.filter { $0.major == major }.map(\.key).sorted()
      #expect(tree.keys(major: major) == expected)
      #expect(tree.count(major: major) == expected.count)
    }
    for entry in model.keys { tree.remove(entry, edit: 100) }
    #expect(tree.count == 0)
    #expect(tree.fault() == nil)
  }

  @Test("An older copy of a tree never changes, whatever later edits do")
  func persistence() throws {
    var random = SeededGenerator(seed: 7)
    var tree = SortedTree()
    var kept: [(tree: SortedTree, entries: [IndexEntry])] = []
    var model: Set<IndexEntry> = []
    for edit in 1...50 {
      for _ in 0..<100 {
        let entry = IndexEntry(.random(in: 0..<20, using: &random), .random(in: 0..<100, using: &random))
        if Bool.random(using: &random) {
          tree.insert(entry, edit: UInt64(edit))
          model.insert(entry)
        } else {
          tree.remove(entry, edit: UInt64(edit))
          model.remove(entry)
        }
      }
      kept.append((tree, model.sorted()))
    }
    for (tree, entries) in kept { #expect(try tree.entries() == entries) }
  }

  @Test("A tree built from sorted entries is one that was filled entry by entry", arguments: [0, 1, 128, 129, 20_000])
  func built(count: Int) throws {
    let entries = (0..<count).map { IndexEntry(UInt64($0 / 7), UInt64($0)) }
    var built = SortedTree(sorted: entries, edit: 1)
    #expect(built.fault() == nil)
    #expect(try built.entries() == entries)
    built.insert(IndexEntry(1, 1_000_000), edit: 2)
    #expect(built.fault() == nil)
    #expect(built.count == count + 1)
  }

  @Test("Ascending insertions fill their nodes")
  func ascending() {
    var tree = SortedTree()
    for number in 0..<10_000 { tree.insert(IndexEntry(0, UInt64(number)), edit: 1) }
    #expect(tree.memoryBytes < 10_000 * 18)
  }

  @Test("Places of rows are found by ordinal, and an older copy keeps its own", arguments: 0..<3)
  func locations(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let ordinalMax = [UInt64(300), 100_000, 1 << 40][seed]
    var index = LocationIndex()
    var model: [UInt64: RowLocation] = [:]
    var kept: (index: LocationIndex, model: [UInt64: RowLocation])?
    for edit in 1...40 {
      for _ in 0..<100 {
        let ordinal = UInt64.random(in: 0...ordinalMax, using: &random)
        let location =
          Int.random(in: 0..<4, using: &random) == 0
          ? RowLocation.none : RowLocation(block: .random(in: 0..<1 << 30, using: &random), offsetBytes: 8)
        index.set(ordinal, location, edit: UInt64(edit))
        model[ordinal] = location == .none ? nil : location
      }
      if edit == 20 { kept = (index, model) }
    }
    for (index, model) in [(index, model), try #require(kept)] {
      var found: [UInt64: RowLocation] = [:]
      var last: UInt64?
      try index.visitAll { ordinal, location in
        #expect(last.map { $0 < ordinal } ?? true)
        last = ordinal
        found[ordinal] = location
        return true
      }
      #expect(found == model)
      #expect(index.count == model.count)
      for (ordinal, location) in model { #expect(index[ordinal] == location) }
      #expect(index[ordinalMax + 1] == .none)
    }
  }

  @Test("A table of keys finds what was put in, and takes each key once")
  func keyTable() {
    var random = SeededGenerator(seed: 3)
    var table = KeyTable(capacity: 2)
    var model: [ObjectKey: Int] = [:]
    for number in 0..<5000 {
      let key = ObjectKey(
        entityNumber: .random(in: 0..<3, using: &random), ordinal: .random(in: 0..<4000, using: &random))
      #expect(table.insert(key, number) == (model[key] == nil))
      if model[key] == nil { model[key] = number }
    }
    for (key, number) in model { #expect(table[key] == number) }
    #expect(table[ObjectKey(entityNumber: 9, ordinal: 1)] == nil)
  }
}

/// The same numbers for the same seed, so that a failure can be run again.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

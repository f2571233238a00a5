import FileSystem
import RowStore
import Testing

/// What a store of nodes should hold, kept in dictionaries.
private struct Reference: Equatable {
  var names: [ObjectKey: Int64] = [:]
  var parents: [ObjectKey: ObjectKey] = [:]
  var friends: [ObjectKey: ObjectKey] = [:]
  var links: Set<[ObjectKey]> = []

  /// A node goes with all below it; friendships and links end.
  mutating func delete(_ key: ObjectKey) {
    var doomed = [key]
    while let next = doomed.popLast() {
      guard names.removeValue(forKey: next) != nil else { continue }
      doomed += parents.filter { $0.value == next }.map(\.key)
      parents[next] = nil
      friends[next] = nil
      for key in friends.filter({ $0.value == next }).keys { friends[key] = nil }
      links = links.filter { !$0.contains(next) }
    }
  }

  init() {}

  init(_ snapshot: RowSnapshot) throws {
    for row in try snapshot.rows("Node") {
      names[row.key] = row.integer("number")
      parents[row.key] = row.key("parent")
      friends[row.key] = row.key("friend")
      for member in try snapshot.members(of: row.key, "seen") { links.insert([row.key, member]) }
      let children = try snapshot.members(of: row.key, "children")
      let found = try snapshot.rows("Node", where: "parent == %@", [row.key]).map(\.key)
      #expect(Set(children) == Set(found))
    }
  }
}

private struct Aborted: Error {}

@Suite("A store of rows against dictionaries")
struct RandomRowTests {
  static let node = Table(
    "Node",
    [
      .integer("number"), .reference("parent", to: "Node", inverse: "children", onDelete: .delete),
      .reference("friend", to: "Node"), .links("seen", to: "Node", inverse: "seenBy"),
    ], indexes: [["number"]])

  @Test(
    "Any transactions, given up or not, over any number of openings, leave what dictionaries hold", arguments: 0..<12)
  func random(seed: UInt64) throws {
    var random = Seeded(seed)
    let disk = MemoryFileSystem()
    var store = try Shelf.open(disk, [Self.node])
    var reference = Reference()
    for _ in 0..<60 {
      var draft = reference
      do {
        try store.write { transaction in
          for _ in 0..<Int.random(in: 1...8, using: &random) { try step(transaction, &draft, &random) }
          if Int.random(in: 0..<5, using: &random) == 0 { throw Aborted() }
        }
        reference = draft
      } catch is Aborted {}
      #expect(try Reference(store.snapshot()) == reference)
      if Int.random(in: 0..<10, using: &random) == 0 {
        try store.close()
        store = try Shelf.open(disk, [Self.node])
        #expect(try Reference(store.snapshot()) == reference)
      }
    }
  }

  private func step(_ transaction: RowTransaction, _ draft: inout Reference, _ random: inout Seeded) throws {
    let keys = draft.names.keys.sorted()
    let number = Int64.random(in: 0..<20, using: &random)
    guard let key = keys.randomElement(using: &random), let other = keys.randomElement(using: &random) else {
      draft.names[try transaction.insert("Node", ["number": .int(number)])] = number
      return
    }
    switch Int.random(in: 0..<10, using: &random) {
    case 0...3:
      let new = try transaction.insert(
        "Node", ["number": .int(number), "parent": .object(key), "friend": .object(other)])
      draft.names[new] = number
      draft.parents[new] = key
      draft.friends[new] = other
    case 4:
      try transaction.update(key, ["number": .int(number)])
      draft.names[key] = number
    case 5:
      try transaction.update(key, ["friend": .object(other), "parent": nil])
      draft.friends[key] = other
      draft.parents[key] = nil
    case 6:
      try transaction.link(key, "seen", to: [other])
      draft.links.insert([key, other])
    case 7:
      try transaction.link(key, "seenBy", to: [other])
      draft.links.insert([other, key])
    case 8:
      try transaction.unlink(key, "seen", from: [other])
      draft.links.remove([key, other])
    default:
      try transaction.delete(key)
      draft.delete(key)
    }
    #expect(try transaction.row(key)?.integer("number") == draft.names[key])
    #expect(try transaction.row(key)?.key("friend") == draft.friends[key])
  }
}

/// A generator that gives the same numbers for the same seed.
struct Seeded: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

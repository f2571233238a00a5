import Schema
import Synchronization

/// Where a row lies: a block of the store, and an offset in it.
///
/// Packed into 8 bytes, since there is one for every object: the block's number plus one in the upper 40 bits, the
/// offset in units of 8 bytes in the lower 24. Zero is no place.
struct RowLocation: Hashable, Sendable {
  let rawValue: UInt64

  init(rawValue: UInt64) { self.rawValue = rawValue }
  init(block: Int, offsetBytes: Int) {
    rawValue = UInt64(block + 1) << 24 | UInt64(offsetBytes >> 3)
  }

  var block: Int { Int(rawValue >> 24) - 1 }
  var offsetBytes: Int { Int(rawValue & 0xFF_FFFF) << 3 }
  static let none = RowLocation(rawValue: 0)
}

/// Ordinal → place of the row, for the objects of one entity: a radix tree over dense ordinals.
///
/// A value: copying it costs nothing, and a copy never changes. Nodes made during one edit are changed in place by that
/// edit alone, older ones are copied first, so a commit of k rows copies the k paths it touches and shares the rest.
struct LocationIndex: Sendable {
  static let leafBits = 8
  static let innerBits = 6

  private var root: LocationNode?
  /// Levels of inner nodes above the leaves.
  private(set) var height = 0
  /// Objects that have a place.
  private(set) var count = 0

  init() {}

  /// An index as a checkpoint has it. Costs a look at its topmost page.
  init(_ pages: LocationPages, rootPage: Int?, height: Int, count: Int) {
    self.height = height
    self.count = count
    root = rootPage.map { pages.node($0, level: height, ordinal: 0) }
  }

  /// The node that an ordinal belongs below.
  func node(level: Int, ordinal: UInt64) -> LocationNode? {
    guard var node = root, level <= height else { return nil }
    var above = height
    while above > level {
      let slot = Self.slot(ordinal, above)
      guard let next = node.child(slot, level: above - 1, ordinal: ordinal) else { return nil }
      node = next.takeUnretainedValue()
      above -= 1
    }
    return node
  }

  @inline(__always)
  private static func slot(_ ordinal: UInt64, _ level: Int) -> Int {
    Int(ordinal >> UInt64(leafBits + (level - 1) * innerBits) & UInt64(1 << innerBits - 1))
  }

  subscript(ordinal: UInt64) -> RowLocation {
    guard let root, ordinal >> UInt64(Self.leafBits + height * Self.innerBits) == 0 else { return .none }
    var node = Unmanaged.passUnretained(root)
    var level = height
    // unsafe: every node below the root is kept alive by the root, which `self` holds.
    while level > 0 {
      let slot = Self.slot(ordinal, level)
      guard
        let next = node._withUnsafeGuaranteedRef({ $0.child(slot, level: level - 1, ordinal: ordinal) })
      else { return .none }
      node = next
      level -= 1
    }
    return RowLocation(
      rawValue: node._withUnsafeGuaranteedRef { $0.words[Int(ordinal & UInt64(1 << Self.leafBits - 1))] })
  }

  /// Sets or, with `.none`, clears a place.
  ///
  /// - Parameter edit: unique to this batch of changes; see the type.
  mutating func set(_ ordinal: UInt64, _ location: RowLocation, edit: UInt64) {
    grow(toHold: ordinal, edit: edit)
    var node = ownedRoot(edit: edit)
    var level = height
    while level > 0 {
      node = node.ownedChild(Self.slot(ordinal, level), level: level - 1, ordinal: ordinal, edit: edit)
      level -= 1
    }
    let slot = Int(ordinal & UInt64(1 << Self.leafBits - 1))
    let old = node.words[slot]
    node.words[slot] = location.rawValue
    if old == 0, location.rawValue != 0 { count += 1 }
    if old != 0, location.rawValue == 0 { count -= 1 }
  }

  private mutating func grow(toHold ordinal: UInt64, edit: UInt64) {
    while ordinal >> UInt64(Self.leafBits + height * Self.innerBits) != 0 {
      if let root {
        let above = LocationNode(isLeaf: false, edit: edit, pages: root.pages)
        above.setChild(0, root)
        self.root = above
      }
      height += 1
    }
  }

  private mutating func ownedRoot(edit: UInt64) -> LocationNode {
    if let root, root.edit == edit { return root }
    let fresh =
      root.map { LocationNode(copying: $0, edit: edit) } ?? LocationNode(isLeaf: height == 0, edit: edit, pages: nil)
    root = fresh
    return fresh
  }

  /// Calls `body` with each ordinal that has a place, ascending, until it returns false.
  func visitAll(_ body: (UInt64, RowLocation) throws(StoreError) -> Bool) throws(StoreError) {
    guard let root else { return }
    _ = try Self.visit(root, level: height, base: 0, body)
  }

  private static func visit(
    _ node: LocationNode, level: Int, base: UInt64, _ body: (UInt64, RowLocation) throws(StoreError) -> Bool
  ) throws(StoreError) -> Bool {
    if level == 0 {
      for slot in 0..<1 << leafBits where node.words[slot] != 0 {
        guard try body(base + UInt64(slot), RowLocation(rawValue: node.words[slot])) else { return false }
      }
      return true
    }
    let shift = UInt64(leafBits + (level - 1) * innerBits)
    for slot in 0..<1 << innerBits {
      let below = base + UInt64(slot) << shift
      guard let child = node.child(slot, level: level - 1, ordinal: below) else { continue }
      let goesOn = try visit(child.takeUnretainedValue(), level: level - 1, base: below, body)
      guard goesOn else { return false }
    }
    return true
  }

  /// Writes the nodes, those below before those above, as pages: `write` gets a page's words and gives it its number.
  /// - Returns: the number of the topmost page.
  func forEachPage(_ write: (UnsafeBufferPointer<UInt64>) throws -> Int) throws -> Int? {
    guard let root else { return nil }
    return try Self.write(root, level: height, base: 0, write)
  }

  private static func write(
    _ node: LocationNode, level: Int, base: UInt64, _ write: (UnsafeBufferPointer<UInt64>) throws -> Int
  ) throws -> Int? {
    if level == 0 {
      let words = UnsafeBufferPointer(start: UnsafePointer(node.words), count: 1 << leafBits)
      return words.contains { $0 != 0 } ? try write(words) : nil
    }
    let shift = UInt64(leafBits + (level - 1) * innerBits)
    var children = [UInt64](repeating: 0, count: 1 << innerBits)
    for slot in children.indices {
      let below = base + UInt64(slot) << shift
      guard let child = node.child(slot, level: level - 1, ordinal: below) else { continue }
      let page = try Self.write(child.takeUnretainedValue(), level: level - 1, base: below, write)
      if let page { children[slot] = UInt64(page) << 1 | 1 }
    }
    guard children.contains(where: { $0 != 0 }) else { return nil }
    return try children.withUnsafeBufferPointer { try write($0) }
  }

  /// Bytes of memory that the nodes take.
  var memoryBytes: Int {
    guard let root else { return 0 }
    return Self.memory(root, level: height)
  }

  private static func memory(_ node: LocationNode, level: Int) -> Int {
    if level == 0 { return 64 + (node.isMapped ? 0 : 8 << leafBits) }
    var total = 64 + 8 << innerBits
    for slot in 0..<1 << innerBits {
      if let child = node.childInMemory(slot) { total += memory(child.takeUnretainedValue(), level: level - 1) }
    }
    return total
  }
}

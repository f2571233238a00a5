import Schema

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
  private var height = 0
  /// Objects that have a place.
  private(set) var count = 0

  subscript(ordinal: UInt64) -> RowLocation {
    guard let root, ordinal >> UInt64(Self.leafBits + height * Self.innerBits) == 0 else { return .none }
    var node = Unmanaged.passUnretained(root)
    var level = height
    // unsafe: every node below the root is kept alive by the root, which `self` holds.
    while level > 0 {
      let shift = UInt64(Self.leafBits + (level - 1) * Self.innerBits)
      let slot = Int(ordinal >> shift & UInt64(1 << Self.innerBits - 1))
      guard let next = node._withUnsafeGuaranteedRef({ $0.children[slot] }) else { return .none }
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
      let shift = UInt64(Self.leafBits + (level - 1) * Self.innerBits)
      let slot = Int(ordinal >> shift & UInt64(1 << Self.innerBits - 1))
      node = node.ownedChild(slot, isLeaf: level == 1, edit: edit)
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
        let above = LocationNode(isLeaf: false, edit: edit)
        above.children[0] = Unmanaged.passRetained(root)
        self.root = above
      }
      height += 1
    }
  }

  private mutating func ownedRoot(edit: UInt64) -> LocationNode {
    if let root, root.edit == edit { return root }
    let fresh = root.map { LocationNode(copying: $0, edit: edit) } ?? LocationNode(isLeaf: height == 0, edit: edit)
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
      guard let child = node.children[slot] else { continue }
      let goesOn = try visit(
        child.takeUnretainedValue(), level: level - 1, base: base + UInt64(slot) << shift, body)
      guard goesOn else { return false }
    }
    return true
  }

  /// Bytes of memory that the nodes take.
  var memoryBytes: Int {
    guard let root else { return 0 }
    return Self.memory(root, level: height)
  }

  private static func memory(_ node: LocationNode, level: Int) -> Int {
    if level == 0 { return 48 + 8 << leafBits }
    var total = 48 + 8 << innerBits
    for slot in 0..<1 << innerBits {
      if let child = node.children[slot] { total += memory(child.takeUnretainedValue(), level: level - 1) }
    }
    return total
  }
}

/// A node of a `LocationIndex`: places in a leaf, children above.
///
/// unsafe, unchecked: raw memory, so that a lookup is a few loads without reference counting. A node is written only by
/// the edit that made it, before that edit's root is published through a lock; afterwards it never changes.
private final class LocationNode: @unchecked Sendable {
  let edit: UInt64
  let isLeaf: Bool
  private let memory: UnsafeMutableRawPointer
  var words: UnsafeMutablePointer<UInt64> { memory.assumingMemoryBound(to: UInt64.self) }
  var children: UnsafeMutablePointer<Unmanaged<LocationNode>?> {
    memory.assumingMemoryBound(to: Unmanaged<LocationNode>?.self)
  }

  init(isLeaf: Bool, edit: UInt64) {
    self.edit = edit
    self.isLeaf = isLeaf
    let slots = isLeaf ? 1 << LocationIndex.leafBits : 1 << LocationIndex.innerBits
    memory = .allocate(byteCount: slots * 8, alignment: 16)
    if isLeaf {
      memory.bindMemory(to: UInt64.self, capacity: slots).initialize(repeating: 0, count: slots)
    } else {
      memory.bindMemory(to: Unmanaged<LocationNode>?.self, capacity: slots).initialize(repeating: nil, count: slots)
    }
  }

  convenience init(copying other: LocationNode, edit: UInt64) {
    self.init(isLeaf: other.isLeaf, edit: edit)
    if isLeaf {
      words.update(from: other.words, count: 1 << LocationIndex.leafBits)
    } else {
      for slot in 0..<1 << LocationIndex.innerBits { children[slot] = other.children[slot]?.retain() }
    }
  }

  deinit {
    if !isLeaf {
      for slot in 0..<1 << LocationIndex.innerBits { children[slot]?.release() }
    }
    memory.deallocate()
  }

  /// The child in a slot, made or copied if this edit did not make it.
  func ownedChild(_ slot: Int, isLeaf: Bool, edit: UInt64) -> LocationNode {
    guard let child = children[slot] else {
      let fresh = LocationNode(isLeaf: isLeaf, edit: edit)
      children[slot] = Unmanaged.passRetained(fresh)
      return fresh
    }
    let node = child.takeUnretainedValue()
    if node.edit == edit { return node }
    let fresh = LocationNode(copying: node, edit: edit)
    children[slot] = Unmanaged.passRetained(fresh)
    child.release()
    return fresh
  }
}

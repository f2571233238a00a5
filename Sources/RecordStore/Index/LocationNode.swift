import Synchronization

/// A node of a `LocationIndex`: places in a leaf, children above.
///
/// unsafe, unchecked: raw memory, so that a lookup is a few loads without reference counting. A node is written only by
/// the edit that made it, before that edit's root is published through a lock; afterwards it never changes, but for
/// children that are pages of a checkpoint: those become nodes when somebody first goes there, whoever comes first.
final class LocationNode: @unchecked Sendable {
  let edit: UInt64
  let isLeaf: Bool
  /// Where children that are pages are; it keeps the memory of a leaf that lies there too.
  let pages: LocationPages?
  /// Whether it is a leaf that is read where it lies.
  let isMapped: Bool
  private let memory: UnsafeMutableRawPointer
  var words: UnsafeMutablePointer<UInt64> { memory.assumingMemoryBound(to: UInt64.self) }
  /// A child each: nothing; a node, retained; or, odd, the number of its page, times two and one.
  private var childWords: UnsafeMutablePointer<Atomic<UInt>> {
    memory.assumingMemoryBound(to: Atomic<UInt>.self)
  }

  /// - Parameter pages: Those of the index that the node is made for.
  init(isLeaf: Bool, edit: UInt64, pages: LocationPages?) {
    self.edit = edit
    self.isLeaf = isLeaf
    self.pages = pages
    isMapped = false
    let slots = isLeaf ? 1 << LocationIndex.leafBits : 1 << LocationIndex.innerBits
    memory = .allocate(byteCount: slots * 8, alignment: 16)
    if isLeaf {
      memory.bindMemory(to: UInt64.self, capacity: slots).initialize(repeating: 0, count: slots)
    } else {
      let words = memory.bindMemory(to: Atomic<UInt>.self, capacity: slots)
      for slot in 0..<slots { (words + slot).initialize(to: Atomic(0)) }
    }
  }

  /// A node of a checkpoint: a leaf is read where it lies, the children of an inner node are the pages it names.
  convenience init(mapped page: UnsafeRawPointer, isLeaf: Bool, pages: LocationPages) {
    guard !isLeaf else {
      self.init(leaf: page, pages: pages)
      return
    }
    self.init(isLeaf: false, edit: 0, pages: pages)
    for slot in 0..<1 << LocationIndex.innerBits {
      let word = UInt64(littleEndian: page.load(fromByteOffset: slot * 8, as: UInt64.self))
      // An even word would be taken for a node. None is written.
      if word & 1 == 1 { childWords[slot].store(UInt(word), ordering: .relaxed) }
    }
  }

  private init(leaf page: UnsafeRawPointer, pages: LocationPages) {
    edit = 0
    isLeaf = true
    isMapped = true
    self.pages = pages
    // unsafe: no edit is 0, so nobody writes there.
    memory = UnsafeMutableRawPointer(mutating: page)
  }

  convenience init(copying other: LocationNode, edit: UInt64) {
    self.init(isLeaf: other.isLeaf, edit: edit, pages: other.pages)
    if isLeaf {
      words.update(from: other.words, count: 1 << LocationIndex.leafBits)
      return
    }
    for slot in 0..<1 << LocationIndex.innerBits {
      let word = other.childWords[slot].load(ordering: .acquiring)
      if word != 0, word & 1 == 0 { _ = Self.node(word).retain() }
      childWords[slot].store(word, ordering: .relaxed)
    }
  }

  deinit {
    if !isLeaf {
      for slot in 0..<1 << LocationIndex.innerBits { childInMemory(slot)?.release() }
    }
    if !isMapped { memory.deallocate() }
  }

  // Children.

  @inline(__always)
  private static func node(_ word: UInt) -> Unmanaged<LocationNode> {
    // unsafe: an even word that is not zero is a node that was put there retained.
    Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: word).unsafelyUnwrapped)
  }

  /// The child in a slot, kept alive by this node.
  /// - Parameters:
  ///   - level: Levels below the child.
  ///   - ordinal: One that belongs below it.
  @inline(__always)
  func child(_ slot: Int, level: Int, ordinal: UInt64) -> Unmanaged<LocationNode>? {
    let word = childWords[slot].load(ordering: .acquiring)
    if word == 0 { return nil }
    if word & 1 == 0 { return Self.node(word) }
    return materialisedChild(slot, word, level, ordinal)
  }

  /// The child in a slot, unless it is nothing or still a page.
  func childInMemory(_ slot: Int) -> Unmanaged<LocationNode>? {
    let word = childWords[slot].load(ordering: .acquiring)
    return word == 0 || word & 1 == 1 ? nil : Self.node(word)
  }

  private func materialisedChild(
    _ slot: Int, _ word: UInt, _ level: Int, _ ordinal: UInt64
  ) -> Unmanaged<LocationNode> {
    let node =
      pages?.node(Int(word >> 1), level: level, ordinal: ordinal)
      ?? LocationNode(isLeaf: level == 0, edit: 0, pages: nil)
    let fresh = Unmanaged.passRetained(node)
    let (isOurs, current) = childWords[slot].compareExchange(
      expected: word, desired: UInt(bitPattern: fresh.toOpaque()), ordering: .acquiringAndReleasing)
    if isOurs { return fresh }
    // Another thread was first.
    fresh.release()
    return Self.node(current)
  }

  /// Puts a node in a slot of this edit's that holds none.
  func setChild(_ slot: Int, _ node: LocationNode) {
    childWords[slot].store(UInt(bitPattern: Unmanaged.passRetained(node).toOpaque()), ordering: .relaxed)
  }

  /// The child in a slot, made or copied if this edit did not make it.
  func ownedChild(_ slot: Int, level: Int, ordinal: UInt64, edit: UInt64) -> LocationNode {
    guard let child = child(slot, level: level, ordinal: ordinal) else {
      let fresh = LocationNode(isLeaf: level == 0, edit: edit, pages: pages)
      setChild(slot, fresh)
      return fresh
    }
    let node = child.takeUnretainedValue()
    if node.edit == edit { return node }
    let fresh = LocationNode(copying: node, edit: edit)
    setChild(slot, fresh)
    child.release()
    return fresh
  }
}

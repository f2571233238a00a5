import Schema
import Synchronization

/// A node of a `SortedTree`: entries in a leaf; above, children and the least entry that each may hold.
///
/// unsafe, unchecked: raw memory, so that searching is a few loads without reference counting. A node is written only by
/// the edit that made it, before that edit's root is published through a lock; afterwards it never changes, but for
/// children that are pages of a checkpoint: those become nodes when somebody first goes there, whoever comes first.
final class TreeNode: @unchecked Sendable {
  let edit: UInt64
  let isLeaf: Bool
  private(set) var count = 0
  let entries: UnsafeMutablePointer<IndexEntry>
  /// Only in leaves of trees that keep payloads.
  let payloads: UnsafeMutablePointer<UInt64>?
  /// A child each: a node, retained; or, odd, the number of its page, times two and one.
  private let childWords: UnsafeMutablePointer<Atomic<UInt>>?
  /// Where children that are pages are; it keeps the memory of entries that lie there too.
  let pages: TreePages?
  private let isMapped: Bool
  private let hasPayloads: Bool

  /// - Parameter pages: Those of the tree that the node is made for.
  init(isLeaf: Bool, hasPayloads: Bool, edit: UInt64, pages: TreePages? = nil) {
    self.edit = edit
    self.isLeaf = isLeaf
    self.hasPayloads = hasPayloads
    self.pages = pages
    isMapped = false
    entries = .allocate(capacity: SortedTree.nodeEntriesMax)
    payloads = isLeaf && hasPayloads ? .allocate(capacity: SortedTree.nodeEntriesMax) : nil
    childWords = isLeaf ? nil : .allocate(capacity: SortedTree.nodeEntriesMax)
  }

  /// A leaf that is read where it lies.
  init(mapped entries: UnsafeRawPointer, count: Int, pages: TreePages, payloads: UnsafeRawPointer?) {
    edit = 0
    isLeaf = true
    isMapped = true
    hasPayloads = payloads != nil
    self.pages = pages
    self.count = count
    // unsafe: no edit is 0, so nobody writes there.
    self.entries = UnsafeMutablePointer(mutating: entries.assumingMemoryBound(to: IndexEntry.self))
    self.payloads = payloads.map { UnsafeMutablePointer(mutating: $0.assumingMemoryBound(to: UInt64.self)) }
    childWords = nil
  }

  /// An inner node whose entries are read where they lie, and whose children are pages one after the other.
  init(mapped entries: UnsafeRawPointer, count: Int, pages: TreePages, firstChildPage: Int) {
    edit = 0
    isLeaf = false
    isMapped = true
    hasPayloads = pages.firstPayloadPage != nil
    self.pages = pages
    self.count = count
    self.entries = UnsafeMutablePointer(mutating: entries.assumingMemoryBound(to: IndexEntry.self))
    payloads = nil
    let words = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: SortedTree.nodeEntriesMax)
    for slot in 0..<count {
      (words + slot).initialize(to: Atomic(UInt(firstChildPage + slot) << 1 | 1))
    }
    childWords = words
  }

  deinit {
    if let childWords {
      for slot in 0..<count { releaseChild(slot) }
      childWords.deallocate()
    }
    if !isMapped {
      entries.deallocate()
      payloads?.deallocate()
    }
  }

  // Children.

  /// The child in a slot, kept alive by this node.
  @inline(__always)
  func child(_ slot: Int) -> Unmanaged<TreeNode> {
    let word = childWords.unsafelyUnwrapped[slot].load(ordering: .acquiring)
    if word & 1 == 0 { return Self.node(word) }
    return materialisedChild(slot, word)
  }

  @inline(__always)
  private static func node(_ word: UInt) -> Unmanaged<TreeNode> {
    // unsafe: an even word is a node that was put there retained.
    Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: word).unsafelyUnwrapped)
  }

  private func materialisedChild(_ slot: Int, _ word: UInt) -> Unmanaged<TreeNode> {
    let page = Int(word >> 1)
    let node = pages?.node(page) ?? TreeNode(isLeaf: true, hasPayloads: hasPayloads, edit: 0)
    let fresh = Unmanaged.passRetained(node)
    let (isOurs, current) = childWords.unsafelyUnwrapped[slot].compareExchange(
      expected: word, desired: UInt(bitPattern: fresh.toOpaque()), ordering: .acquiringAndReleasing)
    if isOurs { return fresh }
    // Another thread was first.
    fresh.release()
    return Self.node(current)
  }

  /// Puts a retained node in a slot of this edit's.
  private func setChild(_ slot: Int, _ node: TreeNode) {
    let word = UInt(bitPattern: Unmanaged.passRetained(node).toOpaque())
    (childWords.unsafelyUnwrapped + slot).initialize(to: Atomic(word))
  }

  private func releaseChild(_ slot: Int) {
    let word = childWords.unsafelyUnwrapped[slot].load(ordering: .acquiring)
    if word & 1 == 0 { Self.node(word).release() }
  }

  /// This node if the edit made it, else a copy that the edit may change.
  func owned(_ edit: UInt64) -> TreeNode {
    if self.edit == edit { return self }
    let copy = TreeNode(isLeaf: isLeaf, hasPayloads: hasPayloads, edit: edit, pages: pages)
    copy.count = count
    copy.entries.initialize(from: entries, count: count)
    if let payloads { copy.payloads?.initialize(from: payloads, count: count) }
    if let childWords, let copied = copy.childWords {
      for slot in 0..<count {
        let word = childWords[slot].load(ordering: .acquiring)
        if word & 1 == 0 { _ = Self.node(word).retain() }
        (copied + slot).initialize(to: Atomic(word))
      }
    }
    return copy
  }

  private func ownedChild(_ slot: Int, _ edit: UInt64) -> TreeNode {
    ownChild(slot, edit)
    return child(slot).takeUnretainedValue()
  }

  /// Replaces a child that another edit made by a copy.
  private func ownChild(_ slot: Int, _ edit: UInt64) {
    let old = child(slot)
    if old._withUnsafeGuaranteedRef({ $0.edit }) == edit { return }
    let copy = old.takeUnretainedValue().owned(edit)
    old.release()
    setChild(slot, copy)
  }

  // Searching.

  /// The first slot whose entry is not less.
  func lowerBound(_ entry: IndexEntry) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) >> 1
      if entries[middle] < entry { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The child that an entry belongs to. The first child takes whatever is less than all.
  func childSlot(_ entry: IndexEntry) -> Int {
    var low = 1
    var high = count
    while low < high {
      let middle = (low + high) >> 1
      if entries[middle] <= entry { low = middle + 1 } else { high = middle }
    }
    return low - 1
  }

  // Building.

  func appendLeaf(_ entry: IndexEntry, _ payload: UInt64) {
    openSlot(count)
    (entries + count - 1).initialize(to: entry)
    payloads.map { ($0 + count - 1).initialize(to: payload) }
  }

  func appendChild(_ child: TreeNode) {
    openSlot(count)
    (entries + count - 1).initialize(to: child.entries[0])
    setChild(count - 1, child)
  }

  private func openSlot(_ slot: Int) {
    (entries + slot + 1).update(from: entries + slot, count: count - slot)
    if let payloads { (payloads + slot + 1).update(from: payloads + slot, count: count - slot) }
    if let childWords { Self.moveWords(from: childWords + slot, to: childWords + slot + 1, count: count - slot) }
    count += 1
  }

  /// Forgets a slot; a child in it must have been released or moved.
  private func closeSlot(_ slot: Int) {
    count -= 1
    (entries + slot).update(from: entries + slot + 1, count: count - slot)
    if let payloads { (payloads + slot).update(from: payloads + slot + 1, count: count - slot) }
    if let childWords { Self.moveWords(from: childWords + slot + 1, to: childWords + slot, count: count - slot) }
  }

  /// Moves the slots from one on to the end of another node.
  private func move(from slot: Int, to other: TreeNode) {
    let moved = count - slot
    (other.entries + other.count).update(from: entries + slot, count: moved)
    if let payloads { (other.payloads.unsafelyUnwrapped + other.count).update(from: payloads + slot, count: moved) }
    if let childWords, let others = other.childWords {
      Self.moveWords(from: childWords + slot, to: others + other.count, count: moved)
    }
    other.count += moved
    count = slot
  }

  private static func moveWords(
    from source: UnsafeMutablePointer<Atomic<UInt>>, to target: UnsafeMutablePointer<Atomic<UInt>>, count: Int
  ) {
    // unsafe: both belong to nodes that only this edit can see.
    UnsafeMutableRawPointer(target).copyMemory(from: UnsafeRawPointer(source), byteCount: count * 8)
  }

  // Changing. The node is owned by the edit.

  /// Returns whether the entry is new, and the right half if the node had to be split.
  func insert(_ entry: IndexEntry, _ payload: UInt64, _ edit: UInt64) -> (isNew: Bool, sibling: TreeNode?) {
    if isLeaf { return insertInLeaf(entry, payload, edit) }
    let slot = childSlot(entry)
    ownChild(slot, edit)
    // unsafe: this node keeps the child. Counting references at each level costs more than the search.
    let (isNew, split) = child(slot)._withUnsafeGuaranteedRef { $0.insert(entry, payload, edit) }
    if slot == 0 || entry < entries[slot] { entries[slot] = child(slot)._withUnsafeGuaranteedRef { $0.entries[0] } }
    guard let split else { return (isNew, nil) }
    let sibling = splitIfFull(at: slot + 1, edit)
    let (target, position) = place(slot + 1, sibling)
    target.openSlot(position)
    target.entries[position] = split.entries[0]
    target.setChild(position, split)
    return (isNew, sibling)
  }

  private func insertInLeaf(
    _ entry: IndexEntry, _ payload: UInt64, _ edit: UInt64
  ) -> (isNew: Bool, sibling: TreeNode?) {
    let slot = lowerBound(entry)
    if slot < count, entries[slot] == entry {
      payloads?[slot] = payload
      return (false, nil)
    }
    if count < SortedTree.nodeEntriesMax {
      openSlot(slot)
      entries[slot] = entry
      payloads?[slot] = payload
      return (true, nil)
    }
    let sibling = splitIfFull(at: slot, edit)
    let (target, position) = place(slot, sibling)
    target.openSlot(position)
    target.entries[position] = entry
    target.payloads?[position] = payload
    return (true, sibling)
  }

  /// Splits a full node before an insertion. One that grows at its end is left full, so that ascending insertions
  /// fill their nodes.
  private func splitIfFull(at slot: Int, _ edit: UInt64) -> TreeNode? {
    guard count == SortedTree.nodeEntriesMax else { return nil }
    let sibling = TreeNode(isLeaf: isLeaf, hasPayloads: hasPayloads, edit: edit, pages: pages)
    move(from: slot == count ? count : count / 2, to: sibling)
    return sibling
  }

  private func place(_ slot: Int, _ sibling: TreeNode?) -> (TreeNode, Int) {
    guard let sibling else { return (self, slot) }
    if slot > count || (slot == count && sibling.count == 0) { return (sibling, slot - count) }
    return (self, slot)
  }

  /// Removes an entry that is there.
  func remove(_ entry: IndexEntry, _ edit: UInt64) {
    if isLeaf {
      closeSlot(lowerBound(entry))
      return
    }
    let slot = childSlot(entry)
    let child = ownedChild(slot, edit)
    child.remove(entry, edit)
    if child.count == 0 {
      releaseChild(slot)
      closeSlot(slot)
    } else if child.count < SortedTree.nodeEntriesMax / 4 {
      mergeChild(slot, edit)
    }
  }

  /// Joins a small child with a neighbour, where both fit comfortably in one.
  private func mergeChild(_ slot: Int, _ edit: UInt64) {
    let left = slot + 1 < count ? slot : slot - 1
    guard left >= 0 else { return }
    let isAlike = child(left).takeUnretainedValue().isLeaf == child(left + 1).takeUnretainedValue().isLeaf
    let sum = child(left).takeUnretainedValue().count + child(left + 1).takeUnretainedValue().count
    guard isAlike, sum <= SortedTree.nodeEntriesMax * 3 / 4 else { return }
    let target = ownedChild(left, edit)
    let source = ownedChild(left + 1, edit)
    source.move(from: 0, to: target)
    releaseChild(left + 1)
    closeSlot(left + 1)
  }

  // Reading.

  func visit(
    _ low: IndexEntry, _ high: IndexEntry, _ body: (IndexEntry, UInt64) throws(StoreError) -> Bool
  ) throws(StoreError) -> Bool {
    if isLeaf {
      var slot = lowerBound(low)
      while slot < count, entries[slot] <= high {
        guard try body(entries[slot], payloads.map { $0[slot] } ?? 0) else { return false }
        slot += 1
      }
      return true
    }
    var slot = childSlot(low)
    while slot < count, slot == 0 || entries[slot] <= high {
      guard try child(slot).takeUnretainedValue().visit(low, high, body) else { return false }
      slot += 1
    }
    return true
  }

  func visitAll(_ low: IndexEntry, _ high: IndexEntry, _ body: (IndexEntry) -> Void) {
    if isLeaf {
      for slot in 0..<count { body(entries[slot]) }
    } else {
      for slot in 0..<count { child(slot).takeUnretainedValue().visitAll(low, high, body) }
    }
  }

  func collect(_ low: IndexEntry, _ high: IndexEntry, _ found: inout [ObjectKey]) {
    if isLeaf {
      var slot = lowerBound(low)
      while slot < count, entries[slot] <= high {
        found.append(entries[slot].key)
        slot += 1
      }
      return
    }
    var slot = childSlot(low)
    while slot < count, slot == 0 || entries[slot] <= high {
      child(slot).takeUnretainedValue().collect(low, high, &found)
      slot += 1
    }
  }

  /// Descending.
  func visitReversed(
    _ low: IndexEntry, _ high: IndexEntry, _ body: (IndexEntry) throws(StoreError) -> Bool
  ) throws(StoreError) -> Bool {
    if isLeaf {
      var slot = lowerBound(high)
      if slot == count || entries[slot] > high { slot -= 1 }
      while slot >= 0, entries[slot] >= low {
        guard try body(entries[slot]) else { return false }
        slot -= 1
      }
      return true
    }
    var slot = childSlot(high)
    let first = childSlot(low)
    while slot >= first {
      guard try child(slot).takeUnretainedValue().visitReversed(low, high, body) else { return false }
      slot -= 1
    }
    return true
  }

  func countEntries(_ low: IndexEntry, _ high: IndexEntry, upTo max: Int = .max) -> Int {
    if isLeaf {
      let start = lowerBound(low)
      if start < count, entries[count - 1] <= high { return count - start }
      var end = start
      while end < count, entries[end] <= high { end += 1 }
      return end - start
    }
    var total = 0
    var slot = childSlot(low)
    while slot < count, slot == 0 || entries[slot] <= high, total <= max {
      total += child(slot)._withUnsafeGuaranteedRef { $0.countEntries(low, high, upTo: max - total) }
      slot += 1
    }
    return total
  }

  var memoryBytes: Int {
    let words = isLeaf ? (payloads == nil || isMapped ? 0 : 8) : 8
    let own = 96 + SortedTree.nodeEntriesMax * ((isMapped ? 0 : 16) + words)
    guard !isLeaf else { return own }
    var total = own
    for slot in 0..<count {
      let word = childWords.unsafelyUnwrapped[slot].load(ordering: .acquiring)
      if word & 1 == 0 { total += Self.node(word).takeUnretainedValue().memoryBytes }
    }
    return total
  }
}

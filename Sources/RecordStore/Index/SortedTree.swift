import Schema

/// One entry of a `SortedTree`: what is looked up, and the object found.
struct IndexEntry: Hashable, Comparable, Sendable {
  let packed: UInt128

  init(packed: UInt128) { self.packed = packed }
  init(_ major: UInt64, _ minor: UInt64) { packed = UInt128(major) << 64 | UInt128(minor) }
  init(_ major: ObjectKey, _ minor: ObjectKey) { self.init(major.rawValue, minor.rawValue) }

  var major: UInt64 { UInt64(truncatingIfNeeded: packed >> 64) }
  var minor: UInt64 { UInt64(truncatingIfNeeded: packed) }
  var key: ObjectKey { ObjectKey(rawValue: minor) }

  static func < (a: IndexEntry, b: IndexEntry) -> Bool { a.packed < b.packed }
}

/// A sorted set of entries, each with an optional payload: the members of a relationship, the holders of a unique
/// value, a declared fetch index.
///
/// A value that shares what has not changed with its older copies: a B+ tree whose nodes belong to the edit that made
/// them. Adding or removing k entries copies at most k paths, whatever the size; there is no run to merge later, so no
/// commit pays for the ones before it.
struct SortedTree: Sendable {
  static let nodeEntriesMax = 128

  private var root: TreeNode?
  private(set) var count = 0
  let hasPayloads: Bool

  init(hasPayloads: Bool = false) { self.hasPayloads = hasPayloads }

  /// A tree as a checkpoint has it. Costs a look at its topmost page.
  init(_ pages: TreePages) {
    hasPayloads = pages.firstPayloadPage != nil
    count = pages.entryCount
    root = pages.rootPage.map { pages.node($0) }
  }

  /// Builds a tree of sorted, distinct entries with full nodes: as small as it gets.
  /// - Parameter payloads: One for each entry, in a tree that keeps them.
  init(sorted entries: [IndexEntry], payloads: [UInt64]? = nil, edit: UInt64) {
    hasPayloads = payloads != nil
    count = entries.count
    guard !entries.isEmpty else { return }
    var level: [TreeNode] = []
    for start in stride(from: 0, to: entries.count, by: Self.nodeEntriesMax) {
      let node = TreeNode(isLeaf: true, hasPayloads: hasPayloads, edit: edit)
      for index in start..<min(start + Self.nodeEntriesMax, entries.count) {
        node.appendLeaf(entries[index], payloads?[index] ?? 0)
      }
      level.append(node)
    }
    while level.count > 1 {
      var above: [TreeNode] = []
      for start in stride(from: 0, to: level.count, by: Self.nodeEntriesMax) {
        let node = TreeNode(isLeaf: false, hasPayloads: hasPayloads, edit: edit)
        for child in level[start..<min(start + Self.nodeEntriesMax, level.count)] { node.appendChild(child) }
        above.append(node)
      }
      level = above
    }
    root = level[0]
  }

  /// The payload of an entry, zero where the tree keeps none; `nil` if the entry is not there.
  func payload(of entry: IndexEntry) -> UInt64? {
    guard let root else { return nil }
    var node = Unmanaged.passUnretained(root)
    while true {
      // unsafe: nodes below the root are kept alive by it.
      let step = node._withUnsafeGuaranteedRef { current -> (Unmanaged<TreeNode>?, UInt64?) in
        if current.isLeaf {
          let slot = current.lowerBound(entry)
          guard slot < current.count, current.entries[slot] == entry else { return (nil, nil) }
          return (nil, current.payloads.map { $0[slot] } ?? 0)
        }
        return (current.child(current.childSlot(entry)), nil)
      }
      guard let next = step.0 else { return step.1 }
      node = next
    }
  }

  func contains(_ entry: IndexEntry) -> Bool { payload(of: entry) != nil }

  /// Adds an entry, or sets the payload of the one that is there. Returns whether it is new.
  @discardableResult
  mutating func insert(_ entry: IndexEntry, payload: UInt64 = 0, edit: UInt64) -> Bool {
    let top: TreeNode
    if let root {
      top = root.owned(edit)
    } else {
      top = TreeNode(isLeaf: true, hasPayloads: hasPayloads, edit: edit)
    }
    root = top
    let (isNew, sibling) = top.insert(entry, payload, edit)
    if let sibling {
      let above = TreeNode(isLeaf: false, hasPayloads: hasPayloads, edit: edit, pages: top.pages)
      above.appendChild(top)
      above.appendChild(sibling)
      root = above
    }
    if isNew { count += 1 }
    return isNew
  }

  /// Removes an entry. Returns whether it was there.
  @discardableResult
  mutating func remove(_ entry: IndexEntry, edit: UInt64) -> Bool {
    guard let root, contains(entry) else { return false }
    let top = root.owned(edit)
    top.remove(entry, edit)
    count -= 1
    if top.count == 0 {
      self.root = nil
    } else if !top.isLeaf, top.count == 1 {
      self.root = top.child(0).takeUnretainedValue()
    } else {
      self.root = top
    }
    return true
  }

  /// Calls `body` with each entry from `low` to `high`, both included, ascending, until it returns false.
  func forEach(
    from low: IndexEntry, through high: IndexEntry, _ body: (IndexEntry, UInt64) throws(StoreError) -> Bool
  ) throws(StoreError) {
    guard let root else { return }
    _ = try root.visit(low, high, body)
  }

  /// Calls `body` with each entry that has a major part.
  func forEach(
    major: UInt64, _ body: (IndexEntry, UInt64) throws(StoreError) -> Bool
  ) throws(StoreError) {
    try forEach(from: IndexEntry(major, 0), through: IndexEntry(major, .max), body)
  }

  /// How many entries have a major part. Costs a look at each node that holds some, not at each entry.
  func count(major: UInt64) -> Int {
    guard let root else { return 0 }
    return root.countEntries(IndexEntry(major, 0), IndexEntry(major, .max))
  }

  /// As `count(major:)`, for all major parts from one to another; gives up soon after it has counted `max`.
  func count(from low: UInt64, through high: UInt64, upTo max: Int) -> Int {
    guard let root else { return 0 }
    return root.countEntries(IndexEntry(low, 0), IndexEntry(high, .max), upTo: max)
  }

  /// As `forEach(from:through:)`, descending.
  func forEachReversed(
    from low: IndexEntry, through high: IndexEntry, _ body: (IndexEntry) throws(StoreError) -> Bool
  ) throws(StoreError) {
    guard let root else { return }
    _ = try root.visitReversed(low, high, body)
  }

  /// The objects found under major parts from one to another, in the order of the entries.
  func collect(from low: UInt64, through high: UInt64, into found: inout [ObjectKey]) {
    root?.collect(IndexEntry(low, 0), IndexEntry(high, .max), &found)
  }

  /// The objects found under a major part, ascending.
  func keys(major: UInt64) -> [ObjectKey] {
    var found: [ObjectKey] = []
    root?.collect(IndexEntry(major, 0), IndexEntry(major, .max), &found)
    return found
  }

  /// A node of a tree that was built with full nodes: by its height above the leaves, and its place from the left.
  func node(atHeight height: Int, index: Int) -> TreeNode? {
    var level = TreePages.nodeCounts(entries: count).count - 1
    guard var node = root, height <= level else { return nil }
    while level > height {
      var span = 1
      for _ in height..<level - 1 { span *= Self.nodeEntriesMax }
      let slot = index / span % Self.nodeEntriesMax
      guard !node.isLeaf, slot < node.count else { return nil }
      node = node.child(slot).takeUnretainedValue()
      level -= 1
    }
    return node
  }

  /// The same entries in full nodes.
  func packed(edit: UInt64) throws(StoreError) -> SortedTree {
    var entries: [IndexEntry] = []
    var payloads: [UInt64] = []
    entries.reserveCapacity(count)
    try forEach(from: IndexEntry(0, 0), through: IndexEntry(.max, .max)) { entry, payload in
      entries.append(entry)
      payloads.append(payload)
      return true
    }
    return SortedTree(sorted: entries, payloads: hasPayloads ? payloads : nil, edit: edit)
  }

  var memoryBytes: Int { root?.memoryBytes ?? 0 }

  /// Says what is wrong with the tree's shape, if anything: for tests and verification.
  func fault() -> String? {
    guard let root else { return count == 0 ? nil : "an empty tree that counts \(count) entries" }
    var previous: IndexEntry?
    var seen = 0
    var message: String?
    let low = IndexEntry(0, 0)
    let high = IndexEntry(.max, .max)
    root.visitAll(low, high) { entry in
      if let previous, previous >= entry { message = "entries out of order" }
      previous = entry
      seen += 1
    }
    if seen != count { message = "\(seen) entries, counted \(count)" }
    return message
  }
}

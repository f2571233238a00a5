/// Where a sorted tree lies in a checkpoint: its leaves one page after the other, then the level above, and so on. All
/// but the last node of a level are full, so that a page's number says which node it is.
final class TreePages: Sendable {
  /// Which of a store's trees.
  enum Name: Hashable, Sendable {
    case column(Int)
    case links(Int)
    case mirror(Int)
    case unique(Int)
    case fetch(Int)
  }

  struct Level: Sendable {
    let firstPage: Int
    let nodeCount: Int
  }

  let file: PageFile
  let name: Name
  let entryCount: Int
  /// Leaves first.
  let levels: [Level]
  /// Each of these holds the payloads of two leaves.
  let firstPayloadPage: Int?

  static func nodeCounts(entries: Int) -> [Int] {
    guard entries > 0 else { return [] }
    var counts: [Int] = []
    var count = entries
    repeat {
      count = (count + SortedTree.nodeEntriesMax - 1) / SortedTree.nodeEntriesMax
      counts.append(count)
    } while count > 1
    return counts
  }

  static func payloadPageCount(entries: Int) -> Int {
    let each = SortedTree.nodeEntriesMax * 2
    return (entries + each - 1) / each
  }

  /// Pages that a tree takes.
  static func pageCount(entries: Int, hasPayloads: Bool) -> Int {
    nodeCounts(entries: entries).reduce(0, +) + (hasPayloads ? payloadPageCount(entries: entries) : 0)
  }

  /// - Parameter firstPage: Where the leaves start; payloads come behind the root.
  init(_ file: PageFile, _ name: Name, entryCount: Int, hasPayloads: Bool, firstPage: Int) {
    self.file = file
    self.name = name
    self.entryCount = entryCount
    var next = firstPage
    var levels: [Level] = []
    for count in Self.nodeCounts(entries: entryCount) {
      levels.append(Level(firstPage: next, nodeCount: count))
      next += count
    }
    self.levels = levels
    firstPayloadPage = hasPayloads ? next : nil
  }

  var rootPage: Int? { levels.last?.firstPage }

  /// The node that a page holds. Children of inner nodes stay pages until somebody goes there.
  func node(_ page: Int) -> TreeNode {
    guard let level = levels.lastIndex(where: { $0.firstPage <= page }) else { return failed }
    let index = page - levels[level].firstPage
    guard let entries = file.page(page) else { return repaired(level, index, because: page) }
    let below = level == 0 ? entryCount : levels[level - 1].nodeCount
    let start = index * SortedTree.nodeEntriesMax
    let count = min(SortedTree.nodeEntriesMax, below - start)
    if level > 0 {
      return TreeNode(mapped: entries, count: count, pages: self, firstChildPage: levels[level - 1].firstPage + start)
    }
    guard let firstPayloadPage else { return TreeNode(mapped: entries, count: count, pages: self, payloads: nil) }
    guard let payloads = file.page(firstPayloadPage + index / 2) else {
      return repaired(level, index, because: firstPayloadPage + index / 2)
    }
    let half = index % 2 * SortedTree.nodeEntriesMax * 8
    return TreeNode(mapped: entries, count: count, pages: self, payloads: payloads + half)
  }

  private func repaired(_ level: Int, _ index: Int, because page: Int) -> TreeNode {
    guard let contents = file.repaired(because: page) else { return failed }
    let tree = contents.root.tree(name)
    return tree.node(atHeight: level, index: index) ?? failed
  }

  /// What stands in for a node that can't be had: `file.failure` is set, and whoever reads looks there.
  private var failed: TreeNode { TreeNode(isLeaf: true, hasPayloads: firstPayloadPage != nil, edit: 0) }
}

extension StoreRoot {
  func tree(_ name: TreePages.Name) -> SortedTree {
    switch name {
    case .column(let index): columns[index]
    case .links(let index): links[index]
    case .mirror(let index): mirrors[index]
    case .unique(let index): uniques[index]
    case .fetch(let index): fetches[index]
    }
  }
}

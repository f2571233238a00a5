import Schema

extension CheckpointContents {
  /// What a checkpoint says otherwise than the log does, if anything; `nil` when all is the same. Reads every page.
  func difference(from checkpoint: Checkpoint) throws(StoreError) -> String? {
    let other = checkpoint.root()
    guard root.commitNumber == other.commitNumber else {
      return "it is as of transaction \(other.commitNumber), not \(root.commitNumber)"
    }
    let plan = checkpoint.plan
    for entity in root.locations.indices {
      guard try root.locations[entity].isSame(as: other.locations[entity]) else {
        return "it has other places for rows of \(plan.schema.entities[entity].name)"
      }
    }
    let names: [(String, [SortedTree], [SortedTree])] = [
      ("relationship index", root.columns, other.columns), ("links", root.links, other.links),
      ("mirrored links", root.mirrors, other.mirrors), ("unique index", root.uniques, other.uniques),
      ("fetch index", root.fetches, other.fetches),
    ]
    for (name, mine, others) in names {
      for (index, (tree, otherTree)) in zip(mine, others).enumerated() {
        guard try tree.entries() == otherTree.entries(), tree.count == otherTree.count else {
          return "its \(name) \(index) differs"
        }
      }
    }
    let blocks = BlockAddresses(checkpoint.blocks)
    guard blocks.count == addresses.count else { return "it counts \(blocks.count) blocks, not \(addresses.count)" }
    for (number, address) in addresses.enumerated() where blocks[number] != address {
      return "it has another address for block \(number)"
    }
    return nil
  }
}

extension LocationIndex {
  func isSame(as other: LocationIndex) throws(StoreError) -> Bool {
    guard count == other.count else { return false }
    var isSame = true
    try visitAll { ordinal, location in
      isSame = other[ordinal] == location
      return isSame
    }
    return isSame
  }
}

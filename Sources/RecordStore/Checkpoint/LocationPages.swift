/// Where the places of an entity's objects lie in a checkpoint: leaves and inner nodes of a `LocationIndex`, a page each.
final class LocationPages: Sendable {
  let file: PageFile
  let entity: Int

  init(_ file: PageFile, entity: Int) {
    self.file = file
    self.entity = entity
  }

  /// The node that a page holds.
  /// - Parameters:
  ///   - level: Levels below the node.
  ///   - ordinal: One that belongs below it.
  func node(_ page: Int, level: Int, ordinal: UInt64) -> LocationNode {
    if let bytes = file.page(page) { return LocationNode(mapped: bytes, isLeaf: level == 0, pages: self) }
    let contents = file.repaired(because: page)
    return contents?.root.locations[entity].node(level: level, ordinal: ordinal)
      ?? LocationNode(isLeaf: level == 0, edit: 0, pages: nil)
  }
}

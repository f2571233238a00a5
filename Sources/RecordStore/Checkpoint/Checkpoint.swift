import FileSystem
import LogStore
import Schema

/// A checkpoint that can be opened from: header and directory are whole and fit this version. Whether the log has its
/// position is for the log to say.
struct Checkpoint: Sendable {
  let path: String
  let sizeBytes: UInt64
  let pages: PageFile
  let directory: CheckpointDirectory
  let stored: StoredSchema
  let plan: StorePlan

  var number: UInt64 { directory.position.number }

  /// Costs a look at the file's beginning and end, whatever its size.
  init(_ path: String, in fileSystem: any FileSystem) throws(CheckpointFault) {
    let image: CheckpointImage
    do throws(FileError) {
      let file = try fileSystem.open(path, .read)
      image = try CheckpointImage(file)
      try file.close()
    } catch {
      throw CheckpointFault("it cannot be read: \(error)")
    }
    try self.init(path, image)
  }

  init(_ path: String, _ image: CheckpointImage) throws(CheckpointFault) {
    let header = try CheckpointHeader(image.bytes)
    let start = Int(header.directoryOffsetBytes)
    let encoded = UnsafeRawBufferPointer(rebasing: image.bytes[start..<start + Int(header.directoryBytes)])
    guard CheckpointHeader.checksum(encoded) == header.directoryChecksum else {
      throw CheckpointFault("its directory's checksum differs")
    }
    directory = try CheckpointDirectory(encoded, header: header)
    guard let schema = (directory.schema.withUnsafeBytes { bytes in try? StoredSchema(record: bytes) }) else {
      throw CheckpointFault("its schema cannot be read")
    }
    stored = schema
    plan = StorePlan(schema: stored.schema, entityNumbers: stored.entityNumbers)
    guard plan.fingerprint == directory.fingerprint else {
      throw CheckpointFault("it was written by a version with other indexes")
    }
    let treeCount =
      plan.columns.count + 2 * plan.linkTables.count + plan.uniques.count + plan.fetches.count
    guard directory.trees.count == treeCount, directory.locations.count == plan.entities.count else {
      throw CheckpointFault("its directory does not fit its schema")
    }
    let pageBytes = Int(header.pageCount) * PageFile.strideBytes
    let bytes = UnsafeRawBufferPointer(
      rebasing: image.bytes[CheckpointHeader.sizeBytes..<CheckpointHeader.sizeBytes + pageBytes])
    pages = PageFile(
      path: path, bytes: bytes, pageCount: Int(header.pageCount), seed: header.pageSeed, owner: image)
    self.path = path
    sizeBytes = UInt64(image.bytes.count)
  }

  /// The addresses of the blocks.
  var blocks: BlockPages {
    BlockPages(file: pages, firstPage: directory.firstBlockPage, count: directory.tally.blockCount)
  }

  /// The state as of the checkpoint, still lying in its pages.
  func root() -> StoreRoot {
    var root = StoreRoot(plan: plan)
    root.commitNumber = directory.commitNumber
    root.locations = directory.locations.enumerated().map { entity, entry in
      LocationIndex(
        LocationPages(pages, entity: entity), rootPage: entry.rootPage, height: entry.height, count: entry.count)
    }
    var trees = directory.trees[...]
    func take(_ count: Int, hasPayloads: Bool = false, _ name: (Int) -> TreePages.Name) -> [SortedTree] {
      (0..<count).map { index in
        let entry = trees.removeFirst()
        return SortedTree(
          TreePages(
            pages, name(index), entryCount: entry.count, hasPayloads: hasPayloads, firstPage: entry.firstPage))
      }
    }
    root.columns = take(plan.columns.count) { .column($0) }
    root.links = take(plan.linkTables.count, hasPayloads: true) { .links($0) }
    root.mirrors = take(plan.linkTables.count) { .mirror($0) }
    root.uniques = take(plan.uniques.count) { .unique($0) }
    root.fetches = take(plan.fetches.count) { .fetch($0) }
    return root
  }
}

extension Checkpoint {
  /// The checkpoints in a directory that can be opened from, the newest first, and why the others can't.
  static func list(
    _ directory: String, in fileSystem: any FileSystem
  ) -> (usable: [Checkpoint], refused: [IgnoredCheckpoint]) {
    var found = listOnce(directory, in: fileSystem)
    // A writer may have put a newer one there meanwhile, and removed the one that was found.
    for _ in 0..<3 where found.usable.isEmpty && !found.refused.isEmpty {
      let stays = found.refused.allSatisfy { (try? fileSystem.exists($0.path)) == true }
      if stays { break }
      found = listOnce(directory, in: fileSystem)
    }
    return found
  }

  private static func listOnce(
    _ directory: String, in fileSystem: any FileSystem
  ) -> (usable: [Checkpoint], refused: [IgnoredCheckpoint]) {
    let names = (try? fileSystem.list(directory)) ?? []
    let numbers = names.compactMap { CheckpointFiles.number(of: $0) }.sorted(by: >)
    var usable: [Checkpoint] = []
    var refused: [IgnoredCheckpoint] = []
    for number in numbers {
      let path = CheckpointFiles.path(directory, CheckpointFiles.name(number))
      do throws(CheckpointFault) {
        let checkpoint = try Checkpoint(path, in: fileSystem)
        guard checkpoint.number == number else { throw CheckpointFault("it is as of another record than its name") }
        usable.append(checkpoint)
      } catch {
        refused.append(IgnoredCheckpoint(path: path, reason: error.message))
      }
    }
    return (usable, refused)
  }
}

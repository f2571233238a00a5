import FileSystem
import LogStore
import Schema

/// What a checkpoint is written from: one committed state, which never changes, so that no lock is held meanwhile.
struct CheckpointSnapshot: Sendable {
  var position: LogPosition
  var stored: StoredSchema
  var plan: StorePlan
  var root: StoreRoot
  var tally: StoreTally
  var addresses: BlockAddresses
  /// The checkpoint that parts of it are read from.
  var pages: PageFile?
}

/// Writes the pages of a checkpoint one behind the other, then its directory and its header.
struct CheckpointWriter: ~Copyable {
  private static let bufferPages = 64

  private let file: any File
  private let seed: UInt64
  private let buffer: UnsafeMutableRawBufferPointer
  private var buffered = 0
  private var pageCount = 0

  init(_ file: any File, seed: UInt64) {
    self.file = file
    self.seed = seed
    buffer = .allocate(byteCount: Self.bufferPages * PageFile.strideBytes, alignment: 16)
  }

  deinit { buffer.deallocate() }

  /// Writes a checkpoint into a new file. It is durable only when the file is synced.
  /// - Returns: the bytes written.
  static func write(_ snapshot: CheckpointSnapshot, to file: any File) throws -> UInt64 {
    var writer = CheckpointWriter(file, seed: snapshot.position.hash)
    var directory = CheckpointDirectory(
      position: snapshot.position, commitNumber: snapshot.root.commitNumber,
      schema: Array(snapshot.stored.json.text.utf8), fingerprint: snapshot.plan.fingerprint, tally: snapshot.tally,
      firstBlockPage: 0)
    try writer.append(addresses: snapshot.addresses, count: snapshot.tally.blockCount)
    for locations in snapshot.root.locations { directory.locations.append(try writer.append(locations)) }
    let root = snapshot.root
    for tree in [root.columns, root.links, root.mirrors, root.uniques, root.fetches].joined() {
      directory.trees.append(try writer.append(tree))
    }
    // What was read from a page that could not be made good is not what should be there.
    if let failure = snapshot.pages?.failure { throw failure }
    return try writer.finish(directory, snapshot.position)
  }

  // Pages.

  /// Adds a page; `fill` gets its bytes, which are zero. Returns its number.
  @discardableResult
  private mutating func page(_ fill: (UnsafeMutableRawBufferPointer) -> Void) throws -> Int {
    if buffered == Self.bufferPages { try flush() }
    let start = buffered * PageFile.strideBytes
    let stride = UnsafeMutableRawBufferPointer(rebasing: buffer[start..<start + PageFile.strideBytes])
    stride.initializeMemory(as: UInt8.self, repeating: 0)
    let page = UnsafeMutableRawBufferPointer(rebasing: stride[0..<PageFile.pageBytes])
    fill(page)
    let checksum = PageFile.checksum(UnsafeRawBufferPointer(page), number: pageCount, seed: seed)
    stride.storeBytes(of: checksum.littleEndian, toByteOffset: PageFile.pageBytes, as: UInt64.self)
    buffered += 1
    pageCount += 1
    return pageCount - 1
  }

  private mutating func flush() throws {
    guard buffered > 0 else { return }
    let first = pageCount - buffered
    let offset = CheckpointHeader.sizeBytes + first * PageFile.strideBytes
    let bytes = UnsafeRawBufferPointer(rebasing: buffer[0..<buffered * PageFile.strideBytes])
    try file.write(bytes, at: UInt64(offset))
    buffered = 0
  }

  private mutating func append(addresses: BlockAddresses, count: Int) throws {
    for start in stride(from: 0, to: count, by: BlockPages.addressesEach) {
      try page { bytes in
        for number in start..<min(start + BlockPages.addressesEach, count) {
          let raw = addresses[number]?.rawValue ?? 0
          bytes.storeBytes(of: raw.littleEndian, toByteOffset: (number - start) * 8, as: UInt64.self)
        }
      }
    }
  }

  private mutating func append(_ locations: LocationIndex) throws -> CheckpointDirectory.Locations {
    let rootPage = try locations.forEachPage { words in
      try page { $0.copyMemory(from: UnsafeRawBufferPointer(words)) }
    }
    // A tree whose nodes are all empty has no page; it may grow again from nothing.
    let height = rootPage == nil ? 0 : locations.height
    return CheckpointDirectory.Locations(rootPage: rootPage, height: height, count: locations.count)
  }

  private mutating func append(_ tree: SortedTree) throws -> CheckpointDirectory.Tree {
    let firstPage = pageCount
    var level = try appendLeaves(tree)
    while level.count > 1 {
      var above: [IndexEntry] = []
      for start in stride(from: 0, to: level.count, by: SortedTree.nodeEntriesMax) {
        let entries = level[start..<min(start + SortedTree.nodeEntriesMax, level.count)]
        above.append(level[start])
        try page { Self.fill($0, entries) }
      }
      level = above
    }
    if tree.hasPayloads { try appendPayloads(tree) }
    return CheckpointDirectory.Tree(firstPage: firstPage, count: tree.count)
  }

  /// Returns the least entry of each leaf.
  private mutating func appendLeaves(_ tree: SortedTree) throws -> [IndexEntry] {
    var least: [IndexEntry] = []
    var leaf: [IndexEntry] = []
    leaf.reserveCapacity(SortedTree.nodeEntriesMax)
    var failure: (any Error)?
    try tree.forEach(from: IndexEntry(0, 0), through: IndexEntry(.max, .max)) { entry, _ in
      if leaf.isEmpty { least.append(entry) }
      leaf.append(entry)
      guard leaf.count == SortedTree.nodeEntriesMax else { return true }
      do { try page { Self.fill($0, leaf[...]) } } catch { failure = error }
      leaf.removeAll(keepingCapacity: true)
      return failure == nil
    }
    if let failure { throw failure }
    if !leaf.isEmpty { try page { Self.fill($0, leaf[...]) } }
    return least
  }

  private mutating func appendPayloads(_ tree: SortedTree) throws {
    var payloads: [UInt64] = []
    var failure: (any Error)?
    try tree.forEach(from: IndexEntry(0, 0), through: IndexEntry(.max, .max)) { _, payload in
      payloads.append(payload)
      guard payloads.count == SortedTree.nodeEntriesMax * 2 else { return true }
      do { try page { Self.fill($0, payloads) } } catch { failure = error }
      payloads.removeAll(keepingCapacity: true)
      return failure == nil
    }
    if let failure { throw failure }
    if !payloads.isEmpty { try page { Self.fill($0, payloads) } }
  }

  private static func fill(_ page: UnsafeMutableRawBufferPointer, _ entries: ArraySlice<IndexEntry>) {
    for (slot, entry) in entries.enumerated() {
      page.storeBytes(of: entry.minor.littleEndian, toByteOffset: slot * 16, as: UInt64.self)
      page.storeBytes(of: entry.major.littleEndian, toByteOffset: slot * 16 + 8, as: UInt64.self)
    }
  }

  private static func fill(_ page: UnsafeMutableRawBufferPointer, _ payloads: [UInt64]) {
    for (slot, payload) in payloads.enumerated() {
      page.storeBytes(of: payload.littleEndian, toByteOffset: slot * 8, as: UInt64.self)
    }
  }

  private mutating func finish(_ directory: CheckpointDirectory, _ position: LogPosition) throws -> UInt64 {
    try flush()
    let offset = UInt64(CheckpointHeader.sizeBytes + pageCount * PageFile.strideBytes)
    let encoded = directory.encoded()
    let header = CheckpointHeader(
      storeUUID: position.storeUUID, number: position.number, pageCount: UInt64(pageCount), pageSeed: seed,
      directoryOffsetBytes: offset, directory: encoded)
    try encoded.withUnsafeBytes { try file.write($0, at: offset) }
    try header.encoded().withUnsafeBytes { try file.write($0, at: 0) }
    return offset + UInt64(encoded.count)
  }
}

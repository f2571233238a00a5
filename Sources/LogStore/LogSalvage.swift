package import FileSystem

/// What is whole in a log, damaged or not: read behind every bad place, without opening the log, without a lock,
/// writing nothing.
package final class LogSalvage {
  /// A record that is not whole, and blocks of it that are.
  package struct DamagedRecord {
    package let number: UInt64
    package let kind: UInt8
    package let blocks: [(info: BlockInfo, block: Block)]
  }

  /// What is shown while the log is gone through, in its order.
  package protocol Visitor: AnyObject {
    func visit(_ record: borrowing RecordReader)
    func visit(_ record: DamagedRecord)
  }

  private let visitor: any Visitor
  private var images: [UInt64: SegmentImage] = [:]
  /// What was found wrong.
  package private(set) var report = VerifyReport()

  private init(_ visitor: any Visitor) { self.visitor = visitor }

  /// Goes through all segments.
  /// - Throws: `LogError` when there is no log, it is of a newer format, or the system refuses to read it.
  package static func scan(
    _ directory: String, in fileSystem: any FileSystem, _ visitor: any Visitor
  ) throws(LogError) -> LogSalvage {
    let (sequences, hasForeignFiles) = try SegmentFiles.list(directory, in: fileSystem)
    guard !sequences.isEmpty else { throw LogStore.noLog(directory, hasForeignFiles: hasForeignFiles) }
    let salvage = LogSalvage(visitor)
    var verifier = LogVerifier(directory, in: fileSystem, salvage: salvage)
    try verifier.run(sequences)
    salvage.report = verifier.report
    return salvage
  }

  /// A block that was shown. Costs unpacking it, when it is packed.
  package func block(at address: BlockAddress) throws(LogError) -> Block {
    guard let image = images[address.segment],
      let header = BlockCoding.header(image.bytes, at: Int(address.offsetBytes))
    else { throw LogError(.invalidAddress, "There is no block at this place.", offsetBytes: address.offsetBytes) }
    do {
      return try BlockCoding.block(image.bytes, at: Int(address.offsetBytes), header, owner: image)
    } catch {
      throw LogError(
        .damaged, "A block can't be unpacked.", offsetBytes: address.offsetBytes, cause: error)
    }
  }

  func keep(_ image: SegmentImage, of segment: UInt64) { images[segment] = image }

  func show(_ record: borrowing RecordReader) { visitor.visit(record) }

  /// Shows the blocks with right checksums of a record that is not whole. Its header has a checksum of its own, and
  /// says where they begin; each block's says where the next one is.
  func noteDamaged(_ walk: SegmentWalk, at offset: Int, before next: Int?, segment: UInt64) {
    guard let image = images[segment], let header = walk.header(at: offset), !header.isOwn else { return }
    let end = min(next ?? walk.bytes.count, walk.bytes.count, offset + Int(header.storedBytes))
    var place = offset + FormatLimits.recordHeaderBytes + FormatLimits.aligned(Int(header.metaBytes))
    var blocks: [(info: BlockInfo, block: Block)] = []
    while blocks.count < Int(header.blockCount), place < end {
      let body = walk.bytes.slice(0, end)
      guard let head = BlockCoding.header(body, at: place) else { break }
      // A length that was changed leads astray: nothing there has a right checksum.
      if BlockCoding.checksum(body, at: place, head) == head.checksum,
        let block = try? BlockCoding.block(walk.bytes, at: place, head, owner: image)
      {
        let info = BlockInfo(
          tag: head.tag, address: BlockAddress(segment: segment, offsetBytes: UInt64(place)),
          rawBytes: head.rawBytes, storedBytes: head.storedBytes, codec: head.codec)
        blocks.append((info, block))
      }
      place += head.spanBytes
    }
    visitor.visit(DamagedRecord(number: header.number, kind: header.kind, blocks: blocks))
  }
}

package import struct Foundation.UUID

/// A place behind a record from which a log can be opened without reading what comes before it.
///
/// Whoever keeps one keeps it beside the log, as a checkpoint does. It is believed only when the record is in the log,
/// with the number and the hash that the position says; the hash stands for every record before it too.
package struct LogPosition: Equatable, Sendable {
  /// What is known of a segment before the record's, so that it need not be opened.
  package struct SealedSegment: Equatable, Sendable {
    package var sequence: UInt64
    package var firstNumber: UInt64
    package var previousHash: UInt64
    package var usedBytes: UInt64

    package init(sequence: UInt64, firstNumber: UInt64, previousHash: UInt64, usedBytes: UInt64) {
      self.sequence = sequence
      self.firstNumber = firstNumber
      self.previousHash = previousHash
      self.usedBytes = usedBytes
    }
  }

  package var storeUUID: UUID
  /// The record's number.
  package var number: UInt64
  package var segment: UInt64
  /// Where in the segment the record starts, and where it ends.
  package var recordOffsetBytes: UInt64
  package var endBytes: UInt64
  /// The record's hash: what the next one is chained to.
  package var hash: UInt64
  package var sealed: [SealedSegment]

  package init(
    storeUUID: UUID, number: UInt64, segment: UInt64, recordOffsetBytes: UInt64, endBytes: UInt64, hash: UInt64,
    sealed: [SealedSegment]
  ) {
    self.storeUUID = storeUUID
    self.number = number
    self.segment = segment
    self.recordOffsetBytes = recordOffsetBytes
    self.endBytes = endBytes
    self.hash = hash
    self.sealed = sealed
  }

  /// Beyond it a record is recognised by its header and its stored hash alone: reading it all would take too long.
  private static let wholeRecordBytesMax = 1 << 20

  /// Whether the position is one of a segment: the record is there.
  func isPlace(in bytes: UnsafeRawBufferPointer, of header: SegmentHeader) -> Bool {
    guard header.storeUUID == storeUUID, header.sequence == segment, header.firstNumber <= number,
      recordOffsetBytes <= endBytes, endBytes <= UInt64(bytes.count)
    else { return false }
    let record = bytes.slice(Int(recordOffsetBytes), Int(endBytes - recordOffsetBytes))
    let seed = SegmentHeader.seed(of: storeUUID, sequence: segment)
    guard let found = RecordHeader(record, writtenFor: recordOffsetBytes, seed: seed), found.number == number,
      !found.isOwn, found.storedBytes == UInt64(record.count), record.uint64(record.count - 8) == hash
    else { return false }
    return record.count > Self.wholeRecordBytesMax || record.recordHash(seed: found.previousHash) == hash
  }

  /// The log doesn't have the position.
  struct Stale: Error {}

  static func stale(_ directory: String) -> LogError {
    LogError(
      .invalidAddress, "The log does not have the place that opening was to go on from.", path: directory,
      cause: Stale())
  }
}

extension LogStore {
  /// The place behind a durable record. Costs a look at the record's ends, not at the record.
  /// - Throws: `LogError` when there is no such record, or it can't be read.
  package func position(after number: UInt64) throws(LogError) -> LogPosition {
    let (address, segment) = try place(ofRecord: number)
    let start = address.offsetBytes
    let (head, owner) = try segment.bytes(at: start, byteCount: FormatLimits.recordHeaderBytes)
    let seed = SegmentHeader.seed(of: storeUUID, sequence: segment.sequence)
    let header = withExtendedLifetime(owner) { RecordHeader(head, writtenFor: start, seed: seed) }
    guard let header, header.number == number else { throw .malformed(segment.path, start) }
    let end = start + header.storedBytes
    let (trailer, trailerOwner) = try segment.bytes(at: end - 8, byteCount: 8)
    let hash = withExtendedLifetime(trailerOwner) { trailer.uint64(0) }
    let sealed = published.withLock { $0.segments }.filter { $0.sequence < segment.sequence }.map { before in
      LogPosition.SealedSegment(
        sequence: before.sequence, firstNumber: before.header.firstNumber, previousHash: before.header.previousHash,
        usedBytes: before.usedBytes)
    }
    return LogPosition(
      storeUUID: storeUUID, number: number, segment: segment.sequence, recordOffsetBytes: start, endBytes: end,
      hash: hash, sealed: sealed)
  }
}

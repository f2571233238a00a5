import FileSystem

import struct Foundation.UUID

/// The writing end of an open log. All of it is used under one lock.
struct LogWriter: ~Copyable, Sendable {
  private let directory: String
  private let fileSystem: any FileSystem
  private let options: LogStore.Options
  private let storeUUID: UUID
  private var lock: (any FileLock)?
  private var file: any File
  private var segment: Segment
  private var seed: UInt64
  /// Where the next record goes.
  private var end: UInt64
  /// Up to where the segment is known to be synced.
  private var durable: UInt64
  /// Up to where room is set aside.
  private var allocated: UInt64
  private var step: UInt64
  private var chain: UInt64
  private(set) var lastNumber: UInt64
  private var isSealed: Bool
  /// The last record, when it says that the log was closed, and nothing was written since. It goes with the next
  /// record once more: the sync behind it may have failed.
  private var closingMark: [UInt8]?
  private enum Condition {
    case open
    case failed(LogError)
    case closed
  }
  private var condition = Condition.open
  private var encoder = RecordEncoder()

  struct Start {
    let segment: Segment
    let file: any File
    let end: UInt64
    let allocated: UInt64
    let chain: UInt64
    let lastNumber: UInt64
    let isSealed: Bool
    let closingMark: [UInt8]?
  }

  init(
    _ start: Start, directory: String, fileSystem: any FileSystem, options: LogStore.Options, storeUUID: UUID,
    lock: any FileLock
  ) {
    self.directory = directory
    self.fileSystem = fileSystem
    self.options = options
    self.storeUUID = storeUUID
    self.lock = lock
    file = start.file
    segment = start.segment
    seed = SegmentHeader.seed(of: storeUUID, sequence: start.segment.sequence)
    end = start.end
    durable = start.end
    allocated = start.allocated
    step = max(options.preallocateBytes, 512)
    chain = start.chain
    lastNumber = start.lastNumber
    isSealed = start.isSealed
    closingMark = start.closingMark
  }

  struct Written {
    let record: AppendedRecord
    /// The segment it is in, when it is the first there.
    let newSegment: Segment?
  }

  mutating func append(kind: UInt8, _ build: (UInt64) throws -> RecordContent) throws -> Written {
    try checkOpen()
    guard kind < FormatLimits.ownKindMin else {
      throw LogError(
        .invalidContent, "Record kinds from \(FormatLimits.ownKindMin) on are the log's own.", path: directory)
    }
    let number = lastNumber + 1
    return try append(kind: kind, number: number, try build(number))
  }

  private mutating func append(kind: UInt8, number: UInt64, _ content: RecordContent) throws(LogError) -> Written {
    let bound = UInt64(try RecordEncoder.boundBytes(content, path: segment.path))
    // The place goes into the record, so it has to be known before packing shows how long the record is.
    let isFull = end + bound > options.segmentBytesMax && end > UInt64(FormatLimits.segmentHeaderBytes)
    var newSegment: Segment?
    if isSealed || isFull { newSegment = try rollOver() }
    try checkInPlace()
    let offset = end
    let encoded = try encoder.encode(
      content, kind: kind, number: number, durableBytes: durable, offsetBytes: offset, previousHash: chain,
      seed: seed, path: segment.path)
    try write(encoded)
    lastNumber = number
    let sequence = segment.sequence
    let record = AppendedRecord(
      number: number, location: RecordLocation(segment: sequence, offsetBytes: offset),
      storedBytes: UInt64(encoded.bytes.count),
      blocks: encoded.blockOffsets.map { BlockAddress(segment: sequence, offsetBytes: offset + UInt64($0)) })
    encoder.trim()
    segment.publish(usedBytes: end, lastNumber: number)
    return Written(record: record, newSegment: newSegment)
  }

  /// Makes a record durable: one write, one sync.
  private mutating func write(_ encoded: RecordEncoder.Encoded) throws(LogError) {
    let count = UInt64(encoded.bytes.count)
    try setRoomAside(upTo: end + count)
    do throws(FileError) {
      try repeatClosingMark()
      try file.write(encoded.bytes, at: end)
      if !options.faults.skipsSync {
        try sync()
        durable = end + count
      }
      closingMark = nil
    } catch {
      throw fail(error, "Writing record \(lastNumber + 1)")
    }
    end += count
    chain = encoded.hash
  }

  private func repeatClosingMark() throws(FileError) {
    guard let mark = closingMark, !options.faults.keepsUnsyncedTail else { return }
    var failure: FileError?
    let place = end - UInt64(mark.count)
    mark.withUnsafeBytes { raw in
      do throws(FileError) { try file.write(raw, at: place) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  private func sync() throws(FileError) {
    guard options.faults.retriesSync else { return try file.sync() }
    do throws(FileError) { try file.sync() } catch { try file.sync() }
  }

  /// Without room nothing has been written yet, so the log stays usable.
  private mutating func setRoomAside(upTo target: UInt64) throws(LogError) {
    guard target > allocated else { return }
    let generous = max(target, min(end + step, max(options.segmentBytesMax, target)))
    do throws(FileError) {
      try file.preallocate(to: generous)
      allocated = generous
    } catch {
      guard error.code == .noSpace else { throw fail(error, "Setting room aside") }
      try doing("Writing record \(lastNumber + 1)") { () throws(FileError) in try file.preallocate(to: target) }
      allocated = target
    }
    step = min(step * 2, FormatLimits.preallocateStepBytesMax)
  }

  /// From here on the log refuses to write: what the system did with the bytes is not known, and a sync that failed
  /// may well "succeed" the next time without having written anything. The unfinished bytes are cut off as far as
  /// possible, so that nobody takes them from the system's cache for durable ones.
  private mutating func fail(_ error: FileError, _ doing: String) -> LogError {
    let failure = LogError(error, doing)
    condition = .failed(failure)
    if !options.faults.keepsUnsyncedTail { try? file.truncate(to: durable) }
    return failure
  }

  private func checkOpen() throws(LogError) {
    switch condition {
    case .open: return
    case .closed: throw LogError(.closed, "The log is closed.", path: directory)
    case .failed(let cause):
      throw LogError(
        .closedAfterFailure,
        "A write failed earlier, so nothing is written until the log is opened again. What was acknowledged is intact.",
        path: cause.path ?? directory, errorNumber: cause.errorNumber, cause: cause)
    }
  }

  /// The file may have been moved away or replaced under us: what we would write there would be lost to others.
  private mutating func checkInPlace() throws(LogError) {
    let file = self.file
    let isInPlace = try doing("Looking for the log") { () throws(FileError) in try file.isInPlace() }
    guard !isInPlace else { return }
    let failure = LogError(
      .displaced,
      "The log's file was moved, removed or replaced while it was open. Nothing was written. Open it again.",
      path: segment.path)
    condition = .failed(failure)
    throw failure
  }

  // MARK: Segments

  /// Seals the segment and begins the next: its header and its name are durable before it is used.
  private mutating func rollOver() throws(LogError) -> Segment {
    guard segment.sequence < FormatLimits.sequenceMax else {
      throw LogError(.limitExceeded, "The log has as many segments as the format allows.", path: directory)
    }
    if !isSealed {
      try appendOwn(RecordHeader.OwnKind.seal)
      isSealed = true
      segment.seal()
    }
    let header = SegmentHeader(
      storeUUID: storeUUID, sequence: segment.sequence + 1, firstNumber: lastNumber + 1, previousHash: chain)
    do throws(FileError) {
      let next = try Self.create(header, directory, fileSystem, skipsDirectorySync: options.faults.skipsDirectorySync)
      start(next.segment, next.file)
    } catch {
      throw fail(error, "Beginning a new segment")
    }
    return segment
  }

  private mutating func start(_ segment: Segment, _ file: any File) {
    self.segment = segment
    self.file = file
    seed = SegmentHeader.seed(of: storeUUID, sequence: segment.sequence)
    end = UInt64(FormatLimits.segmentHeaderBytes)
    durable = end
    allocated = end
    isSealed = false
  }

  /// Makes a segment's file: durable with its name when this returns.
  static func create(
    _ header: SegmentHeader, _ directory: String, _ fileSystem: any FileSystem, skipsDirectorySync: Bool = false
  ) throws(FileError) -> (segment: Segment, file: any File) {
    let path = SegmentFiles.path(directory, sequence: header.sequence)
    // Only an unfinished one can be in the way: opening made sure of that.
    if try fileSystem.exists(path) { try fileSystem.remove(path) }
    let file = try fileSystem.open(path, .createNew)
    let bytes = header.encoded()
    var failure: FileError?
    bytes.withUnsafeBytes { raw in
      do throws(FileError) { try file.write(raw, at: 0) } catch { failure = error }
    }
    if let failure { throw failure }
    try file.sync()
    if !skipsDirectorySync { try fileSystem.syncDirectory(directory) }
    let segment = Segment(
      header: header, path: path, file: file, image: nil, usedBytes: UInt64(bytes.count),
      lastNumber: header.firstNumber - 1, isSealed: false)
    return (segment, file)
  }

  /// A seal or a closing mark; the room set aside behind it is given back.
  private mutating func appendOwn(_ kind: UInt8) throws(LogError) {
    try checkInPlace()
    let content = RecordContent(meta: [])
    let encoded = try encoder.encode(
      content, kind: kind, number: lastNumber, durableBytes: durable, offsetBytes: end, previousHash: chain,
      seed: seed, path: segment.path)
    let count = UInt64(encoded.bytes.count)
    do throws(FileError) {
      try repeatClosingMark()
      try file.write(encoded.bytes, at: end)
      if allocated > end + count { try file.truncate(to: end + count) }
      if !options.faults.skipsSync { try sync() }
      closingMark = nil
    } catch {
      throw fail(error, kind == RecordHeader.OwnKind.seal ? "Sealing the segment" : "Closing the log")
    }
    end += count
    durable = end
    allocated = end
    chain = encoded.hash
    segment.publish(usedBytes: end, lastNumber: lastNumber)
  }

  mutating func close() throws(LogError) {
    guard case .closed = condition else {
      defer {
        condition = .closed
        lock?.release()
        lock = nil
      }
      if case .open = condition, closingMark == nil, !isSealed { try appendOwn(RecordHeader.OwnKind.close) }
      return
    }
  }
}

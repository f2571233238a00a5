import FileSystem
import Synchronization

import struct Foundation.UUID

/// One segment of an open log, as readers see it: everything below `usedBytes` is durable and never changes.
final class Segment: Sendable {
  let header: SegmentHeader
  let path: String
  private struct State {
    var file: (any File)?
    var image: SegmentImage?
    /// How much of the image may be believed: a copy knows nothing of what was written after it was made.
    var imageBytes: UInt64
    var lastNumber: UInt64
    var isSealed: Bool
    /// Where to open the file when somebody asks for bytes: nothing of it has been looked at yet.
    var unopened: (any FileSystem)?
    /// Where the records start, from the first on, once somebody asked.
    var offsets: [UInt64] = []
  }
  private let state: Mutex<State>
  private let used: Atomic<UInt64>

  init(
    header: SegmentHeader, path: String, file: any File, image: SegmentImage?, usedBytes: UInt64, lastNumber: UInt64,
    isSealed: Bool
  ) {
    self.header = header
    self.path = path
    let imageBytes = image.map { $0.isMapped ? UInt64($0.bytes.count) : min(UInt64($0.bytes.count), usedBytes) } ?? 0
    state = Mutex(
      State(file: file, image: image, imageBytes: imageBytes, lastNumber: lastNumber, isSealed: isSealed))
    used = Atomic(usedBytes)
  }

  /// A sealed segment as a position says that it is.
  init(
    passed known: LogPosition.SealedSegment, lastNumber: UInt64, _ storeUUID: UUID, _ directory: String,
    _ fileSystem: any FileSystem
  ) {
    header = SegmentHeader(
      storeUUID: storeUUID, sequence: known.sequence, firstNumber: known.firstNumber,
      previousHash: known.previousHash)
    path = SegmentFiles.path(directory, sequence: known.sequence)
    state = Mutex(
      State(
        file: nil, image: nil, imageBytes: 0, lastNumber: lastNumber, isSealed: true, unopened: fileSystem))
    used = Atomic(known.usedBytes)
  }

  var sequence: UInt64 { header.sequence }
  var usedBytes: UInt64 { used.load(ordering: .acquiring) }

  /// Lets readers see a record, after it became durable.
  func publish(usedBytes: UInt64, lastNumber: UInt64) {
    state.withLock { $0.lastNumber = lastNumber }
    used.store(usedBytes, ordering: .releasing)
  }

  /// A sealed segment that is mapped whole needs its file no more: thousands of segments must not hold descriptors.
  func seal() {
    let file: (any File)? = state.withLock { state in
      state.isSealed = true
      if state.imageBytes < usedBytes, let map = try? state.file?.map() { Self.keep(map, &state) }
      guard state.imageBytes >= usedBytes else { return nil }
      let file = state.file
      state.file = nil
      return file
    }
    try? file?.close()
  }

  func closeFile() {
    let file: (any File)? = state.withLock { state in
      let file = state.file
      state.file = nil
      state.unopened = nil
      return file
    }
    try? file?.close()
  }

  func info() -> SegmentInfo {
    state.withLock { state in
      let fileBytes = (try? state.file?.size()) ?? usedBytes
      return SegmentInfo(
        sequence: sequence, path: path, usedBytes: usedBytes, fileBytes: max(fileBytes, usedBytes),
        firstNumber: header.firstNumber, lastNumber: state.lastNumber, isSealed: state.isSealed)
    }
  }

  /// Bytes from `offset` on that are in memory together with their owner: at least `byteCount`, and no further than
  /// the published end. They are mapped where that is possible and read where it isn't.
  func bytes(at offset: UInt64, byteCount: Int) throws(LogError) -> (UnsafeRawBufferPointer, AnyObject) {
    let end = usedBytes
    guard byteCount >= 0, offset <= end, UInt64(byteCount) <= end - offset else {
      throw LogError(.invalidAddress, "There is nothing at this place of the log.", path: path, offsetBytes: offset)
    }
    let image = try state.withLock { state throws(LogError) in
      if let image = state.image, Self.has(image, offset, byteCount, state) { return image }
      if let fileSystem = state.unopened { try open(in: fileSystem, &state) }
      if let image = state.image, Self.has(image, offset, byteCount, state) { return image }
      guard let file = state.file else {
        throw LogError(.closed, "The log is closed.", path: path, offsetBytes: offset)
      }
      return try doing("Reading the log") { () throws(FileError) in
        // Our own process is the only one to cut this file, and never below the published end.
        if let map = try file.map(), UInt64(map.bytes.count) >= end { return Self.keep(map, &state) }
        return try SegmentImage(file, at: offset, byteCount: byteCount)
      }
    }
    if image.startsAt == 0 {
      guard offset + UInt64(byteCount) <= UInt64(image.bytes.count) else { throw short(offset) }
      let limit = min(end, UInt64(image.bytes.count))
      return (image.bytes.slice(Int(offset), Int(limit - offset)), image)
    }
    guard image.bytes.count >= byteCount else { throw short(offset) }
    return (image.bytes, image)
  }

  private static func has(_ image: SegmentImage, _ offset: UInt64, _ byteCount: Int, _ state: State) -> Bool {
    offset >= image.validFrom && offset + UInt64(byteCount) <= state.imageBytes
  }

  /// Opens a segment that was passed by, and looks at its header at last.
  private func open(in fileSystem: any FileSystem, _ state: inout State) throws(LogError) {
    let size = FormatLimits.segmentHeaderBytes
    let (file, map, image) = try doing("Opening a segment of the log") { () throws(FileError) in
      let file = try fileSystem.open(path, .read)
      return (file, try file.map(), try SegmentImage(file, at: 0, byteCount: size))
    }
    let found: SegmentHeader
    do throws(SegmentHeader.Fault) {
      found = try SegmentHeader(image.bytes)
    } catch {
      throw SegmentSurvey.damage(error, path: path)
    }
    guard found.storeUUID == header.storeUUID, found.sequence == sequence, found.firstNumber == header.firstNumber,
      found.previousHash == header.previousHash
    else {
      throw LogError(
        .damaged, "The segment belongs to another log, or to another place in this one.", path: path, offsetBytes: 0)
    }
    state.unopened = nil
    if let map, UInt64(map.bytes.count) >= usedBytes {
      Self.keep(map, &state)
      try? file.close()
    } else {
      state.file = file
    }
  }

  /// Where a record starts that was there when the log was opened. The first call walks along all headers.
  func offset(ofRecord number: UInt64, seed: UInt64) throws(LogError) -> UInt64 {
    let known = state.withLock { $0.offsets }
    let place = Int(clamping: number - header.firstNumber)
    if place < known.count { return known[place] }
    let end = usedBytes
    let (bytes, owner) = try self.bytes(at: 0, byteCount: Int(end))
    let offsets = withExtendedLifetime(owner) { Self.offsets(in: bytes.slice(0, Int(end)), header, seed) }
    state.withLock { $0.offsets = offsets }
    guard place < offsets.count else {
      throw LogError(
        .damaged, "A record's header before record \(number) changed after it was written.", path: path,
        offsetBytes: offsets.last)
    }
    return offsets[place]
  }

  private static func offsets(
    in bytes: UnsafeRawBufferPointer, _ segment: SegmentHeader, _ seed: UInt64
  ) -> [UInt64] {
    var offsets: [UInt64] = []
    var offset = FormatLimits.segmentHeaderBytes
    while let header = try? RecordHeader(bytes, at: offset, seed: seed) {
      if !header.isOwn {
        guard header.number == segment.firstNumber + UInt64(offsets.count) else { break }
        offsets.append(UInt64(offset))
      }
      guard header.storedBytes <= UInt64(bytes.count - offset) else { break }
      offset += Int(header.storedBytes)
    }
    return offsets
  }

  @discardableResult
  private static func keep(_ map: MappedFile, _ state: inout State) -> SegmentImage {
    let image = SegmentImage(map)
    state.image = image
    state.imageBytes = UInt64(image.bytes.count)
    return image
  }

  private func short(_ offset: UInt64) -> LogError {
    LogError(.damaged, "The segment is shorter than it was.", path: path, offsetBytes: offset)
  }
}

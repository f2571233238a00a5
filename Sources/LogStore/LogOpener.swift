import FileSystem

import struct Foundation.UUID

/// Finds out what a log holds: goes along the chain through all segments, shows every whole record to the visitor, and
/// tells a torn tail (never acknowledged, to be cut) from damage (acknowledged, to be reported).
struct LogOpener {
  let options: LogStore.Options
  private(set) var survey: SegmentSurvey
  private(set) var report = RecoveryReport()
  private(set) var segments: [Segment] = []
  /// Segments before the place that opening goes on from: nothing of them was looked at.
  private(set) var passed: [Segment] = []
  /// Where each record starts, by number.
  private(set) var index: RecordIndex
  private(set) var chain: UInt64 = 0
  private(set) var lastNumber: UInt64 = 0
  private(set) var isSealed = false
  /// Where the last whole record of the last segment starts and ends, those of the log's own included.
  private(set) var lastRecordBytes: UInt64 = 0
  private(set) var endBytes: UInt64 = 0

  private var isWriting: Bool { options.mode == .readWrite }
  /// How often a reader looks again before it believes in damage beside a writer that may be at work.
  private static let looksMax = 8

  private let position: LogPosition?

  /// - Parameter position: Where to go on from; the survey begins with its segment.
  /// - Throws: `LogPosition.stale` when the log doesn't have it.
  init(
    _ survey: SegmentSurvey, options: LogStore.Options, from position: LogPosition? = nil
  ) throws(LogError) {
    self.survey = survey
    self.options = options
    self.position = position
    index = RecordIndex(after: position?.number ?? 0)
    guard let position else { return }
    guard let found = survey.found.first, position.isPlace(in: found.image.bytes, of: found.header) else {
      throw LogPosition.stale(survey.directory)
    }
    var nextFirst = found.header.firstNumber
    for known in position.sealed.reversed() {
      passed.append(
        Segment(
          passed: known, lastNumber: nextFirst &- 1, position.storeUUID, survey.directory, survey.fileSystem))
      nextFirst = known.firstNumber
    }
    passed.reverse()
  }

  mutating func run(_ visit: (borrowing RecordReader) throws -> Void) throws(LogError) {
    for place in survey.found.indices {
      guard try follow(place, visit) else { break }
    }
    if report.damage == nil { report.damage = survey.damage.map { withLastGood($0) } }
    if let damage = report.damage {
      report.closedCleanly = false
      if isWriting || segments.isEmpty { throw damage }
    }
  }

  /// Goes through one segment; false where the log can't be followed further.
  private mutating func follow(
    _ place: Int, _ visit: (borrowing RecordReader) throws -> Void
  ) throws(LogError) -> Bool {
    let found = survey.found[place]
    let resumed = place == 0 ? position : nil
    if place == 0 { chain = SegmentHeader.chainStart(of: found.header.storeUUID) }
    guard resumed != nil || found.header.previousHash == chain && found.header.firstNumber == lastNumber + 1 else {
      report.damage = withLastGood(
        LogError(
          .damaged, "The segment does not follow the one before it.", path: found.path, offsetBytes: 0,
          expectedChecksum: chain, foundChecksum: found.header.previousHash))
      return false
    }
    var walk = SegmentWalk(found.image.bytes, header: found.header)
    walk.ignoresChecksums = options.faults.ignoresChecksums
    walk.ignoresChain = options.faults.ignoresChain
    if let resumed {
      walk.resume(behind: resumed)
      lastRecordBytes = resumed.recordOffsetBytes
      lastNumber = resumed.number
    }
    isSealed = false
    report.closedCleanly = false
    let isLast = place == survey.found.count - 1 && survey.damage == nil
    let fault = try follow(&walk, place, isLast: isLast, visit)
    chain = walk.chain
    lastNumber = walk.lastNumber
    endBytes = UInt64(walk.offset)
    let image = survey.found[place].image
    segments.append(
      Segment(
        header: found.header, path: found.path, file: found.file, image: image, usedBytes: endBytes,
        lastNumber: lastNumber, isSealed: isSealed))
    if isSealed { return true }
    guard let fault else { return false }
    if isLast, !walk.provesDurable(fault.offset) {
      noteTail(walk, image, found.sequence)
      return false
    }
    report.damage = damage(fault, walk, path: found.path)
    return false
  }

  /// Visits records up to the first that isn't whole.
  private mutating func follow(
    _ walk: inout SegmentWalk, _ place: Int, isLast: Bool, _ visit: (borrowing RecordReader) throws -> Void
  ) throws(LogError) -> SegmentWalk.Fault? {
    var looks = 1
    while true {
      switch walk.next() {
      case .record(let record):
        try take(record, walk, survey.found[place], visit)
        if isSealed { return nil }
      case .stop(let fault):
        // A writer may have been at work between our reading of this place and of what is behind it.
        guard !isWriting, isLast, looks < Self.looksMax, walk.provesDurable(fault.offset) else { return fault }
        looks += 1
        let file = survey.found[place].file
        let image = try doing("Reading the log") { () throws(FileError) in try SegmentImage(file, mayBeCut: true) }
        survey.replaceImage(place, with: image)
        walk.look(at: image.bytes)
      }
    }
  }

  private mutating func take(
    _ record: SegmentWalk.Record, _ walk: SegmentWalk, _ found: SegmentSurvey.Found,
    _ visit: (borrowing RecordReader) throws -> Void
  ) throws(LogError) {
    let header = record.header
    lastRecordBytes = header.offsetBytes
    report.closedCleanly = header.kind == RecordHeader.OwnKind.close
    if header.isOwn {
      isSealed = header.kind == RecordHeader.OwnKind.seal
      let isKnown = isSealed || report.closedCleanly
      if !isKnown, header.flags & RecordHeader.Flags.mustUnderstand != 0 {
        throw LogError(
          .newerFormat,
          "A record of kind \(header.kind) must be understood, and this version doesn't. Use a newer version.",
          path: found.path, offsetBytes: header.offsetBytes)
      }
      return
    }
    let bytes = found.image.bytes.slice(record.offset, record.byteCount)
    let reader = try RecordReader(header, bytes, segment: found.sequence, owner: found.image, path: found.path)
    index.append(BlockAddress(segment: found.sequence, offsetBytes: header.offsetBytes))
    do {
      try visit(reader)
    } catch {
      throw LogError(
        .stoppedByVisitor, "Reading stopped at record \(header.number): \(error)", path: found.path,
        offsetBytes: header.offsetBytes, cause: error)
    }
  }

  /// A last segment without a record is as good as none.
  mutating func dropLastSegment() {
    guard let last = segments.popLast(), let previous = segments.last else { return }
    last.closeFile()
    isSealed = true
    endBytes = previous.usedBytes
  }

  private mutating func noteTail(_ walk: SegmentWalk, _ image: SegmentImage, _ sequence: UInt64) {
    guard !walk.isBlankFromHere() else { return }
    var end = image.bytes.count
    while end > walk.offset, image.bytes[end - 1] == 0 { end -= 1 }
    report.tornBytes = UInt64(end - walk.offset)
    report.tornLocation = RecordLocation(segment: sequence, offsetBytes: UInt64(walk.offset))
    report.closedCleanly = false
  }

  private func damage(_ fault: SegmentWalk.Fault, _ walk: SegmentWalk, path: String) -> LogError {
    let next = walk.nextWhole(after: fault.offset)
    let following = next.map { walk.wholeRecords(from: $0) } ?? 0
    let nextNumber =
      next?.header.number ?? survey.found.first { $0.header.firstNumber > lastNumber + 1 }?.header.firstNumber
    let message =
      "Acknowledged data is damaged: \(fault.message). Records up to \(lastNumber) are whole, and \(following) whole ones follow the damage in this segment. What comes before the damage can be read: open the store read-only and ask for it (AnnalsReadDamagedStoreOption), or look with annals log. Nothing was changed."
    return LogError(
      .damaged, message, path: path, offsetBytes: UInt64(fault.offset), expectedChecksum: fault.expected,
      foundChecksum: fault.found, lastGoodNumber: lastNumber, nextGoodNumber: nextNumber)
  }

  private func withLastGood(_ error: LogError) -> LogError {
    LogError(
      error.code, error.message, path: error.path, offsetBytes: error.offsetBytes,
      expectedChecksum: error.expectedChecksum, foundChecksum: error.foundChecksum, lastGoodNumber: lastNumber)
  }
}

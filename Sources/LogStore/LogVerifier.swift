import FileSystem

import struct Foundation.UUID

/// Goes through all segments and, unlike opening, on behind every bad place.
struct LogVerifier {
  private(set) var report = VerifyReport()
  private let directory: String
  private let fileSystem: any FileSystem
  private var uuid: UUID?
  private var chain: UInt64 = 0
  private var isSealed = true
  /// Shown what is whole, while it is looked at.
  private let salvage: LogSalvage?

  init(_ directory: String, in fileSystem: any FileSystem, salvage: LogSalvage? = nil) {
    self.directory = directory
    self.fileSystem = fileSystem
    self.salvage = salvage
  }

  mutating func run(_ sequences: [UInt64]) throws(LogError) {
    // Headers of records are believed by it, so the records behind a damaged segment header can be read with it.
    uuid = IdentityGuess.uuid(of: sequences, directory, fileSystem)
    var expected: UInt64 = 1
    for sequence in sequences {
      if sequence > expected {
        let range = sequence == expected + 1 ? "\(expected) is" : "\(expected) to \(sequence - 1) are"
        note(expected, 0, "segment \(range) missing")
      }
      try check(sequence, isLast: sequence == sequences.last, isFollowing: sequence == expected)
      expected = sequence + 1
    }
  }

  private mutating func check(_ sequence: UInt64, isLast: Bool, isFollowing: Bool) throws(LogError) {
    let path = SegmentFiles.path(directory, sequence: sequence)
    let fileSystem = self.fileSystem
    let (file, image) = try doing("Checking the log") { () throws(FileError) in
      let file = try fileSystem.open(path, .read)
      return (file, try SegmentImage(file, mayBeCut: isLast))
    }
    defer { try? file.close() }
    salvage?.keep(image, of: sequence)
    report.byteCount += UInt64(image.bytes.count)
    let header: SegmentHeader
    do throws(SegmentHeader.Fault) {
      header = try SegmentHeader(image.bytes)
    } catch {
      let isShort = image.bytes.count <= FormatLimits.segmentHeaderBytes
      if isLast, isShort, !SegmentWalk.hasRecordShapes(image.bytes) {
        report.tornBytes = UInt64(image.bytes.count)
        report.tornLocation = RecordLocation(segment: sequence, offsetBytes: 0)
        report.closedCleanly = false
        return
      }
      noteHeader(error, sequence)
      guard let uuid else { return }
      // The records may be whole all the same.
      if sequence == 1 { chain = SegmentHeader.chainStart(of: uuid) }
      var guess = SegmentHeader(
        storeUUID: uuid, sequence: sequence, firstNumber: report.lastGoodNumber + 1, previousHash: chain)
      guess.majorVersion = FormatLimits.majorVersion
      return checkRecords(guess, image, file, path, isLast: isLast)
    }
    if header.majorVersion != FormatLimits.majorVersion || header.featuresToRead != 0 {
      throw LogError(
        .newerFormat,
        "The log has format \(header.majorVersion).\(header.minorVersion), which this version can't check.",
        path: path)
    }
    if header.sequence != sequence || header.storeUUID != uuid ?? header.storeUUID {
      note(sequence, 0, "the segment belongs to another log, or to another place in this one")
      return
    }
    if sequence == 1 { chain = SegmentHeader.chainStart(of: header.storeUUID) }
    let follows = header.firstNumber == report.lastGoodNumber + 1 && header.previousHash == chain
    if isFollowing, isSealed, report.badPlaces.isEmpty, !follows {
      note(sequence, 0, "the segment does not follow the one before it", expected: chain, found: header.previousHash)
    }
    uuid = header.storeUUID
    checkRecords(header, image, file, path, isLast: isLast)
  }

  private mutating func checkRecords(
    _ header: SegmentHeader, _ firstImage: SegmentImage, _ file: any File, _ path: String, isLast: Bool
  ) {
    var image = firstImage
    var walk = SegmentWalk(image.bytes, header: header)
    isSealed = false
    report.closedCleanly = false
    var looks = 0
    while !isSealed {
      switch walk.next() {
      case .record(let record):
        take(record, image, header.sequence, path)
      case .stop(let fault):
        if isLast, !walk.provesDurable(fault.offset) {
          noteTail(walk, image, header.sequence)
          return finish(walk, header, image, path)
        }
        // Beside a writer at work, what was read first may be older than what was read last.
        if isLast, looks < 8, let newer = try? SegmentImage(file, mayBeCut: true) {
          looks += 1
          image = newer
          salvage?.keep(newer, of: header.sequence)
          walk.look(at: image.bytes)
          continue
        }
        let next = walk.nextWhole(after: fault.offset)
        note(
          header.sequence, UInt64(fault.offset), fault.message, kind: fault.kind, expected: fault.expected,
          found: fault.found, next: next?.header.number)
        salvage?.noteDamaged(walk, at: fault.offset, before: next?.offset, segment: header.sequence)
        guard let next else { return finish(walk, header, image, path) }
        walk.resume(behind: next)
        take(next, image, header.sequence, path)
      }
    }
    finish(walk, header, image, path)
  }

  private mutating func take(
    _ record: SegmentWalk.Record, _ image: SegmentImage, _ sequence: UInt64, _ path: String
  ) {
    var header = record.header
    // Where it is, not where it was written for, should bytes in front of it be missing.
    header.offsetBytes = UInt64(record.offset)
    chain = record.hash
    report.lastGoodNumber = header.number
    report.closedCleanly = header.kind == RecordHeader.OwnKind.close
    if header.isOwn {
      isSealed = header.kind == RecordHeader.OwnKind.seal
      return
    }
    report.recordCount += 1
    let bytes = image.bytes.slice(record.offset, record.byteCount)
    do throws(LogError) {
      let reader = try RecordReader(header, bytes, segment: sequence, owner: image, path: path)
      salvage?.show(reader)
      for (index, block) in reader.blocks.enumerated() {
        report.blockCount += 1
        let place = Int(block.address.offsetBytes)
        guard let blockHeader = BlockCoding.header(image.bytes, at: place) else { continue }
        let found = BlockCoding.checksum(image.bytes, at: place, blockHeader)
        if found != blockHeader.checksum {
          note(
            sequence, UInt64(place), "a block's checksum differs", kind: header.kind, expected: blockHeader.checksum,
            found: found)
          continue
        }
        if block.codec != .none { _ = try reader.block(index) }
      }
    } catch {
      note(sequence, error.offsetBytes ?? header.offsetBytes, error.message, kind: header.kind)
    }
  }

  private mutating func finish(_ walk: SegmentWalk, _ header: SegmentHeader, _ image: SegmentImage, _ path: String) {
    report.segments.append(
      SegmentInfo(
        sequence: header.sequence, path: path, usedBytes: UInt64(walk.offset), fileBytes: UInt64(image.bytes.count),
        firstNumber: header.firstNumber, lastNumber: walk.lastNumber, isSealed: isSealed))
  }

  private mutating func noteTail(_ walk: SegmentWalk, _ image: SegmentImage, _ sequence: UInt64) {
    guard !walk.isBlankFromHere() else { return }
    var end = image.bytes.count
    while end > walk.offset, image.bytes[end - 1] == 0 { end -= 1 }
    report.tornBytes = UInt64(end - walk.offset)
    report.tornLocation = RecordLocation(segment: sequence, offsetBytes: UInt64(walk.offset))
    report.closedCleanly = false
  }

  private mutating func noteHeader(_ fault: SegmentHeader.Fault, _ sequence: UInt64) {
    switch fault {
    case .notAHeader: note(sequence, 0, "the file does not begin as a segment does")
    case .checksum(let expected, let found):
      note(sequence, 0, "the checksum of the segment's header differs", expected: expected, found: found)
    }
  }

  private mutating func note(
    _ segment: UInt64, _ offset: UInt64, _ message: String, kind: UInt8? = nil, expected: UInt64? = nil,
    found: UInt64? = nil, next: UInt64? = nil
  ) {
    let path = SegmentFiles.path(directory, sequence: segment)
    report.badPlaces.append(
      VerifyReport.BadPlace(
        segment: segment, path: path, offsetBytes: offset, recordKind: kind, expectedChecksum: expected,
        foundChecksum: found, lastGoodNumber: report.lastGoodNumber, nextGoodNumber: next, message: message))
  }
}

import FileSystem
import SimulatedDisk
import Testing

@testable import LogStore

@Suite("Bytes that move")
struct ShiftTests {
  /// A log of one segment and what is known of it.
  struct Original {
    let bytes: [UInt8]
    let records: [Kept]
    /// Where records start, that of the closing mark included when there is one.
    let places: [Int]
  }

  static func make(closes: Bool) throws -> Original {
    let memory = MemoryFileSystem()
    let (log, _) = try open("/log", in: memory, testOptions(preallocateBytes: 512))
    var places: [Int] = []
    for meta in ["one", "two", "three"] {
      let record = try append(log, meta, [noise(20, seed: UInt64(meta.utf8.count))])
      places.append(Int(record.location.offsetBytes))
    }
    // Not closed, it keeps the room set aside.
    var bytes = try contents(segmentPath("/log"), in: memory)
    if closes {
      places.append(Int(try #require(log.segments.last).usedBytes))
      try log.close()
      bytes = try contents(segmentPath("/log"), in: memory)
    }
    let other = MemoryFileSystem()
    try other.createDirectory("/log")
    try put(bytes, at: segmentPath("/log"), in: other)
    let (_, records) = try open("/log", in: other, testOptions(.readOnly))
    return Original(bytes: bytes, records: records, places: places)
  }

  /// Whether something is left that shows that there was more than `kept` records.
  private func hasProof(_ changed: [UInt8], _ original: Original, kept: Int) -> Bool {
    for (index, place) in original.places.enumerated() where index >= kept {
      let header = Array(original.bytes[place..<place + 64])
      for start in changed.indices.dropLast(63) where changed[start] == 0xa7 {
        guard Array(changed[start..<start + 64]) == header else { continue }
        if index > kept || start != place { return true }
      }
    }
    return false
  }

  /// Opens for writing, and reports whether records were lost that could have been known of.
  private func check(_ changed: [UInt8], _ original: Original, _ what: @autoclosure () -> String) throws -> Bool {
    let memory = MemoryFileSystem()
    try memory.createDirectory("/log")
    try put(changed, at: segmentPath("/log"), in: memory)
    do {
      let (log, found) = try open("/log", in: memory)
      try log.close()
      #expect(found == Array(original.records.prefix(found.count)), "\(what())")
      if found.count < original.records.count {
        #expect(!hasProof(changed, original, kept: found.count), "\(what()) was cut")
      }
      return false
    } catch let error as LogError {
      #expect(error.code == .damaged, "\(what())")
      #expect(try contents(segmentPath("/log"), in: memory) == changed, "\(what())")
      let report = try LogStore.verify("/log", in: memory)
      #expect(!report.badPlaces.isEmpty, "\(what())")
      return true
    }
  }

  @Test(
    "B085: bytes lost, doubled, put in between or swapped are damage, and nothing is cut", arguments: [true, false])
  func moved(closes: Bool) throws {
    let original = try Self.make(closes: closes)
    let end = try #require(original.places.last) + (closes ? 80 : 176)
    var damaged = 0
    var generator = SeededGenerator(seed: 11)
    for start in 0..<end {
      for length in [1, 2, 8, 16, 17, 80, 144, 176, 320] where start + length <= original.bytes.count {
        let range = start..<start + length
        let part = Array(original.bytes[range])
        var lost = original.bytes
        lost.removeSubrange(range)
        var doubled = original.bytes
        doubled.insert(contentsOf: part, at: start)
        var inserted = original.bytes
        inserted.insert(contentsOf: noise(length, seed: generator.next()), at: start)
        for (name, changed) in [("lost", lost), ("doubled", doubled), ("inserted", inserted)]
        where changed != original.bytes {
          if try check(changed, original, "\(name) \(range)") { damaged += 1 }
        }
        let other = range.upperBound..<min(range.upperBound + length, original.bytes.count)
        let swapped =
          Array(original.bytes[..<start]) + original.bytes[other] + part + original.bytes[other.upperBound...]
        if swapped != original.bytes, try check(swapped, original, "swapped \(range)") { damaged += 1 }
      }
    }
    #expect(damaged > end * 15)
  }

  @Test("B085: verify finds the records behind lost bytes, though none is where it was written")
  func verifyBehind() throws {
    let original = try Self.make(closes: true)
    var bytes = original.bytes
    bytes.removeSubrange(original.places[1] + 70..<original.places[1] + 83)
    let memory = MemoryFileSystem()
    try memory.createDirectory("/log")
    try put(bytes, at: segmentPath("/log"), in: memory)
    let report = try LogStore.verify("/log", in: memory)
    #expect(report.badPlaces.map(\.offsetBytes) == [UInt64(original.places[1])])
    #expect(report.badPlaces.first?.nextGoodNumber == 3)
    #expect(report.recordCount == 2)
    #expect(report.lastGoodNumber == 3)
    #expect(report.closedCleanly)
    let error = #expect(throws: LogError.self) { try open("/log", in: memory) }
    #expect(error?.lastGoodNumber == 1)
    #expect(error?.nextGoodNumber == 3)
  }

  @Test("What is left of a file with records is not taken for a file that was never finished")
  func remains() throws {
    let original = try Self.make(closes: true)
    let memory = MemoryFileSystem()
    try memory.createDirectory("/log")
    let rest = Array(original.bytes.suffix(100))
    try put(rest, at: segmentPath("/log"), in: memory)
    #expect(#expect(throws: LogError.self) { try open("/log", in: memory) }?.code == .damaged)
    #expect(try contents(segmentPath("/log"), in: memory) == rest)
    #expect(try LogStore.verify("/log", in: memory).badPlaces.count == 1)
  }
}

@Suite("What was cut is kept")
struct TornTailTests {
  let disk = SimulatedDisk()
  let path = segmentPath("/log")

  /// Puts bytes behind the last record of a log that was closed.
  private func tear(_ bytes: [UInt8]) throws {
    let end = try LogStore.verify("/log", in: disk).segments[0].usedBytes
    let file = try disk.open(path, .readWrite)
    try bytes.withUnsafeBytes { try file.write($0, at: end) }
  }

  @Test("B085: a torn tail that a writer cuts is kept beside the log, durable before the cut, and listed")
  func kept() throws {
    let (log, _) = try open("/log", in: disk)
    let record = try append(log, "1")
    try log.close()
    let end = record.location.offsetBytes + record.storedBytes + 80
    try tear([1, 2, 3, 0, 4, 0])
    _ = try open("/log", in: disk, testOptions(.readOnly))
    #expect(try LogStore.tornTails("/log", in: disk).isEmpty)
    disk.recordsOperations = true
    let (again, found) = try open("/log", in: disk)
    #expect(metas(found) == ["1"])
    try again.close()
    let tail = try #require(try LogStore.tornTails("/log", in: disk).first)
    #expect(tail.location == RecordLocation(segment: 1, offsetBytes: end))
    #expect(tail.path == "/log/torn-0000000000000001-\(String(end, radix: 16).leftPadded(to: 16)).bin")
    #expect(try contents(tail.path, in: disk) == [1, 2, 3, 0, 4])
    #expect(tail.sizeBytes == 5)
    let verbs = disk.operations.map(\.verb)
    let cut = try #require(verbs.firstIndex(of: "truncate"))
    #expect(verbs[..<cut].contains("sync directory"))
    let (third, all) = try open("/log", in: disk)
    #expect(metas(all) == ["1"])
    try third.close()
    #expect(try LogStore.tornTails("/log", in: disk).count == 1)
  }

  @Test("B085: no more than eight torn tails are kept, and no more than a mebibyte of each")
  func bounded() throws {
    for round in 0..<11 {
      let (log, _) = try open("/log", in: disk)
      try append(log, "\(round)")
      try log.close()
      try tear(noise(round == 10 ? 3 << 20 : 10))
    }
    let (log, found) = try open("/log", in: disk)
    #expect(found.count == 11)
    try log.close()
    let tails = try LogStore.tornTails("/log", in: disk)
    #expect(tails.map(\.sizeBytes) == Array(repeating: 10, count: 7) + [1 << 20])
  }

  @Test("B085: a full disk does not keep a log with a torn tail from opening")
  func fullDisk() throws {
    let (log, _) = try open("/log", in: disk)
    try append(log, "1")
    try log.close()
    try tear([7, 7])
    disk.plan.spaceBytesMax = 0
    let (again, found) = try open("/log", in: disk)
    #expect(metas(found) == ["1"])
    #expect(again.recovery.tornBytes == 2)
    #expect(try LogStore.tornTails("/log", in: disk).isEmpty)
  }
}

extension String {
  fileprivate func leftPadded(to count: Int) -> String { String(repeating: "0", count: count - self.count) + self }
}

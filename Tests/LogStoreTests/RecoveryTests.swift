import FileSystem
import SimulatedDisk
import Testing

@testable import LogStore

@Suite("Recovery")
struct RecoveryTests {
  let memory = MemoryFileSystem()
  let path = segmentPath("/log")

  /// A log that was not closed, with records "1", "2" …
  private func unclosed(_ count: Int, blockBytes: Int = 100, _ options: LogStore.Options = testOptions()) throws
    -> [AppendedRecord]
  {
    let disk = SimulatedDisk()
    let (log, _) = try open("/log", in: disk, options)
    var records: [AppendedRecord] = []
    for number in 1...count { records.append(try append(log, "\(number)", [noise(blockBytes, seed: UInt64(number))])) }
    try memory.createDirectory("/log")
    for name in try disk.list("/log") where name.hasSuffix(".seg") {
      try put(try contents("/log/" + name, in: disk), at: "/log/" + name, in: memory)
    }
    return records
  }

  @Test("B082: after a cut in the middle of a record, in its header or in its length, appends go on and all survive")
  func appendAfterTornTail() throws {
    let records = try unclosed(2)
    let whole = try contents(path, in: memory)
    let second = Int(records[1].location.offsetBytes)
    for cut in [second + 1, second + 10, second + 40, second + 63, second + 64, second + 100] {
      try put(Array(whole[0..<cut]), at: path, in: memory)
      let (log, found) = try open("/log", in: memory)
      #expect(metas(found) == ["1"])
      #expect(log.recovery.tornBytes > 0)
      #expect(log.recovery.tornLocation == RecordLocation(segment: 1, offsetBytes: UInt64(second)))
      try append(log, "C")
      try append(log, "D")
      try log.close()
      let (again, all) = try open("/log", in: memory)
      #expect(metas(all) == ["1", "C", "D"])
      try again.close()
    }
  }

  @Test("B082: the cut is durable before the first append")
  func cutIsSynced() throws {
    let disk = SimulatedDisk()
    var options = testOptions()
    options.faults.skipsSync = true
    do {
      let (log, _) = try open("/log", in: disk, options)
      try append(log, "1")
    }
    disk.killProcess()
    let file = try disk.open(path, .readWrite)
    try [UInt8](repeating: 0xee, count: 40).withUnsafeBytes { try file.write($0, at: 272) }
    disk.recordsOperations = true
    let (log, _) = try open("/log", in: disk)
    try append(log, "2")
    let verbs = disk.operations.filter { $0.path == path }.map(\.verb).filter {
      ["truncate", "sync", "write"].contains($0)
    }
    #expect(verbs.first == "truncate")
    #expect(try #require(verbs.firstIndex(of: "sync")) < #require(verbs.lastIndex(of: "write")))
  }

  /// Records 1 to 4, the last two not synced; then the third is torn, and a new one of its length written.
  private func phantom(_ faults: LogFaults) throws -> [String] {
    let disk = SimulatedDisk()
    var options = testOptions()
    var log: LogStore? = try open("/log", in: disk, options).log
    let same = noise(200)
    for meta in ["a", "b"] { try append(log!, meta, [same]) }
    log = nil
    disk.killProcess()
    options.faults.skipsSync = true
    log = try open("/log", in: disk, options).log
    let third = try append(log!, "c", [same])
    try append(log!, "d", [same])
    log = nil
    disk.killProcess()
    try disk.flipBit(path, byte: Int(third.location.offsetBytes) + 70, bit: 3)
    options = testOptions()
    options.faults = faults
    log = try open("/log", in: disk, options).log
    try append(log!, "C", [same])
    log = nil
    disk.killProcess()
    options.faults.keepsTornTail = true
    let (_, found) = try open("/log", in: disk, options)
    return metas(found)
  }

  @Test("B083: a whole record behind a torn one never comes back, not even when the tail is left in place")
  func phantomRecord() throws {
    var faults = LogFaults()
    #expect(try phantom(faults) == ["a", "b", "C"])
    faults.keepsTornTail = true
    #expect(try phantom(faults) == ["a", "b", "C"])
    // Without the chain of hashes and without the cut, it does: the test can fail.
    faults.ignoresChain = true
    #expect(try phantom(faults) == ["a", "b", "C", "d"])
  }

  @Test("B085: damage with good records behind it is never cut: writing is refused, reading goes up to it")
  func damageInside() throws {
    let records = try unclosed(10)
    let before = try contents(path, in: memory)
    var damaged = before
    let third = Int(records[2].location.offsetBytes)
    damaged[third + 90] ^= 1
    try put(damaged, at: path, in: memory)
    let error = #expect(throws: LogError.self) { try open("/log", in: memory) }
    #expect(error?.code == .damaged)
    #expect(error?.path == path)
    #expect(error?.offsetBytes == UInt64(third))
    #expect(error?.lastGoodNumber == 2)
    #expect(error?.nextGoodNumber == 4)
    #expect(error?.expectedChecksum != nil)
    #expect(error?.foundChecksum != nil)
    #expect(error?.message.contains("7 whole ones follow") == true)
    #expect(try contents(path, in: memory) == damaged)
    let (log, found) = try open("/log", in: memory, testOptions(.readOnly))
    #expect(metas(found) == ["1", "2"])
    #expect(log.recovery.damage?.offsetBytes == UInt64(third))
    #expect(throws: LogError.self) { try append(log, "no") }
  }

  @Test("B089: a damaged log gives the same error each time, and nothing grows")
  func sameErrorEachTime() throws {
    let records = try unclosed(3)
    var bytes = try contents(path, in: memory)
    bytes[Int(records[1].location.offsetBytes) + 80] ^= 0x40
    try put(bytes, at: path, in: memory)
    var messages: Set<String> = []
    for _ in 0..<100 {
      let error = #expect(throws: LogError.self) { try open("/log", in: memory) }
      messages.insert(error.map { "\($0)" } ?? "")
    }
    #expect(messages.count == 1)
    #expect(try memory.list("/log") == ["log-0000000000000001.seg", "writer.lock"])
    #expect(try contents(path, in: memory) == bytes)
  }

  @Test("A missing segment, one of another log and one out of place are damage with the file's name")
  func wrongSegments() throws {
    let options = testOptions(segmentBytesMax: 500)
    _ = try unclosed(6, options)
    let second = segmentPath("/log", 2)
    let bytes = try contents(second, in: memory)
    try memory.remove(second)
    let missing = #expect(throws: LogError.self) { try open("/log", in: memory) }
    #expect(missing?.code == .damaged)
    #expect(missing?.path == second)
    #expect(try LogStore.verify("/log", in: memory).badPlaces.first?.path == second)
    try put(try contents(segmentPath("/log", 3), in: memory), at: second, in: memory)
    #expect(throws: LogError.self) { try open("/log", in: memory) }
    try put(bytes, at: second, in: memory)
    #expect(try open("/log", in: memory).records.count == 6)
  }

  @Test("A directory of something else, a file, and nothing at all each have an error of their own")
  func notALog() throws {
    try memory.createDirectory("/other")
    try put([1], at: "/other/notes.txt", in: memory)
    #expect(#expect(throws: LogError.self) { try open("/other", in: memory) }?.code == .notALog)
    #expect(try memory.list("/other") == ["notes.txt"])
    #expect(#expect(throws: LogError.self) { try open("/other/notes.txt", in: memory) }?.code == .notALog)
    let readOnly = testOptions(.readOnly)
    #expect(#expect(throws: LogError.self) { try open("/none", in: memory, readOnly) }?.code == .missing)
    #expect(try !memory.exists("/none"))
  }

  @Test("A newer format, unknown features and unknown records that must be understood are refused; others are skipped")
  func newerFormats() throws {
    let disk = SimulatedDisk()
    try disk.createDirectory("/log")
    var header = SegmentHeader(
      storeUUID: testUUID, sequence: 1, firstNumber: 1, previousHash: SegmentHeader.chainStart(of: testUUID))
    func code(_ options: LogStore.Options, _ more: [UInt8] = []) throws -> LogError.Code? {
      try put(header.encoded() + more, at: path, in: disk)
      do throws(LogError) { _ = try LogStore.open("/log", in: disk, options: options) { _ in } } catch {
        disk.killProcess()
        return error.code
      }
      disk.killProcess()
      return nil
    }
    header.majorVersion = 2
    #expect(try code(testOptions()) == .newerFormat)
    header.majorVersion = 1
    header.minorVersion = 9
    header.featuresToWrite = 1
    #expect(try code(testOptions()) == .newerFormat)
    #expect(try code(testOptions(.readOnly)) == nil)
    header.featuresToRead = 1
    #expect(try code(testOptions(.readOnly)) == .newerFormat)
    header.featuresToRead = 0
    header.featuresToWrite = 0
    for (flags, expected): (UInt8, LogError.Code?) in [(0, nil), (1, .newerFormat)] {
      var encoder = RecordEncoder()
      let seed = SegmentHeader.seed(of: testUUID, sequence: 1)
      let record = try encoder.encode(
        RecordContent(meta: [1, 2, 3]), kind: 0x90, flags: flags, number: 0, durableBytes: 128, offsetBytes: 128,
        previousHash: header.previousHash, seed: seed, path: path)
      let bytes = Array(record.bytes)
      #expect(try code(testOptions(), bytes) == expected)
      #expect(try code(testOptions(.readOnly), bytes) == expected)
    }
  }

  @Test("B094: reading writes nothing and needs no lock, with a clean and with a torn tail, beside a writer")
  func readOnly() throws {
    let disk = SimulatedDisk()
    let (writer, _) = try open("/log", in: disk)
    try append(writer, "1", [noise(3000)])
    disk.recordsOperations = true
    let (reader, found) = try open("/log", in: disk, testOptions(.readOnly))
    #expect(metas(found) == ["1"])
    #expect(Set(disk.operations.map(\.verb)) == ["list", "open", "read"])
    #expect(#expect(throws: LogError.self) { try append(reader, "no") }?.code == .readOnly)
    try append(writer, "2")
    #expect(reader.lastNumber == 1)
    let file = try disk.open(path, .readWrite)
    try [UInt8](repeating: 0xee, count: 40).withUnsafeBytes { try file.write($0, at: 3600) }
    let before = try contents(path, in: disk)
    let (again, all) = try open("/log", in: disk, testOptions(.readOnly))
    #expect(metas(all) == ["1", "2"])
    #expect(again.recovery.tornBytes > 0)
    #expect(try contents(path, in: disk) == before)
  }

  @Test("B092: where locks don't work, opening for writing is refused, and reading isn't")
  func noLocks() throws {
    let disk = SimulatedDisk()
    try open("/log", in: disk).log.close()
    disk.plan.hasNoLocks = true
    #expect(#expect(throws: LogError.self) { try open("/log", in: disk) }?.code == .lockUnsupported)
    _ = try open("/log", in: disk, testOptions(.readOnly))
  }

  @Test("A second writer is refused while the first has the log, and let in afterwards")
  func secondWriter() throws {
    let (log, _) = try open("/log", in: memory)
    #expect(#expect(throws: LogError.self) { try open("/log", in: memory) }?.code == .locked)
    try log.close()
    try open("/log", in: memory).log.close()
  }

  @Test("B112: a log whose file is moved away or replaced writes nothing more and says why")
  func displaced() throws {
    let (log, _) = try open("/log", in: memory)
    try append(log, "1")
    try memory.rename(path, to: "/log/elsewhere")
    #expect(#expect(throws: LogError.self) { try append(log, "2") }?.code == .displaced)
    #expect(#expect(throws: LogError.self) { try append(log, "3") }?.code == .closedAfterFailure)
  }

  @Test("B023: a full disk fails the append, keeps what was acknowledged, and the log goes on when there is room")
  func fullDisk() throws {
    for limit in stride(from: UInt64(200), to: 4000, by: 40) {
      let disk = SimulatedDisk()
      let options = testOptions(segmentBytesMax: 1500, preallocateBytes: 512)
      var acknowledged: [String] = []
      do {
        let (log, _) = try open("/log", in: disk, options)
        disk.plan.spaceBytesMax = limit
        for number in 1...10 {
          do {
            try append(log, "\(number)", [noise(250)])
            acknowledged.append("\(number)")
          } catch let error as LogError {
            #expect(error.code == .noSpace || error.code == .closedAfterFailure)
          }
        }
      }
      disk.killProcess()
      disk.plan = FaultPlan()
      let (log, found) = try open("/log", in: disk, options)
      #expect(metas(found) == acknowledged)
      try append(log, "more")
    }
  }

  @Test("After a failed sync nothing is written until the log is opened again, and the record is gone")
  func failedSync() throws {
    let disk = SimulatedDisk()
    do {
      let (log, _) = try open("/log", in: disk)
      try append(log, "1")
      disk.plan.failingOperation = disk.operationCount + 2
      #expect(#expect(throws: LogError.self) { try append(log, "2") }?.code == .inputOutput)
      let error = #expect(throws: LogError.self) { try append(log, "3") }
      #expect(error?.code == .closedAfterFailure)
      #expect((error?.cause as? LogError)?.code == .inputOutput)
      #expect(log.lastNumber == 1)
    }
    disk.killProcess()
    let (log, found) = try open("/log", in: disk)
    #expect(metas(found) == ["1"])
    #expect(try append(log, "again").number == 2)
  }
}

import FileSystem
import LogStore
import Testing

@Suite("Appending and reading")
struct AppendingTests {
  let memory = MemoryFileSystem()

  @Test("Records come back in order, with their numbers, kinds, meta bytes and blocks")
  func roundTrip() throws {
    let (log, before) = try open("/log", in: memory)
    #expect(before.isEmpty)
    #expect(log.lastNumber == 0)
    let packable = [UInt8](repeating: 7, count: 20_000)
    let first = try append(log, "one", [[1, 2, 3], packable])
    let second = try log.append(kind: 0x7f) { number in RecordContent(meta: [UInt8(number)], blocks: []) }
    let third = try append(log, "three", [noise(5000), []])
    #expect([first.number, second.number, third.number] == [1, 2, 3])
    #expect(log.lastNumber == 3)
    #expect(first.storedBytes < 1000)
    try log.close()
    let (again, records) = try open("/log", in: memory)
    #expect(
      records == [
        Kept(number: 1, kind: 1, meta: Array("one".utf8), blocks: [[1, 2, 3], packable]),
        Kept(number: 2, kind: 0x7f, meta: [2], blocks: []),
        Kept(number: 3, kind: 1, meta: Array("three".utf8), blocks: [noise(5000), []]),
      ])
    #expect(again.recovery.closedCleanly)
    #expect(again.recovery.tornBytes == 0)
    #expect(again.storeUUID == testUUID)
  }

  @Test("A block is readable at its address at once, and after reopening; it starts at a multiple of 16")
  func blocksByAddress() throws {
    let (log, _) = try open("/log", in: memory)
    var addresses: [(BlockAddress, [UInt8])] = []
    for size in [0, 1, 15, 16, 17, 4095, 4096, 32_768, 100_000] {
      let raw = noise(size)
      let packable = [UInt8](repeating: UInt8(size & 0xff), count: size)
      let record = try append(log, "", [raw, packable])
      addresses.append((record.blocks[0], raw))
      addresses.append((record.blocks[1], packable))
    }
    for (address, bytes) in addresses {
      let block = try log.block(at: address)
      #expect(block.copy() == bytes)
      #expect(UInt(bitPattern: block.bytes.baseAddress) % 16 == 0)
    }
    try log.close()
    let (again, _) = try open("/log", in: memory)
    for (address, bytes) in addresses { #expect(try again.block(at: address).copy() == bytes) }
  }

  @Test("A block stays readable when the file grows and after the log is closed")
  func blocksStay() throws {
    let (log, _) = try open("/log", in: memory)
    let address = try append(log, "first", [noise(1000)]).blocks[0]
    let block = try log.block(at: address)
    for count in 0..<200 { try append(log, "\(count)", [noise(5000, seed: UInt64(count))]) }
    try log.close()
    #expect(block.copy() == noise(1000))
  }

  @Test("An address that was never given out is refused, whatever it is")
  func badAddresses() throws {
    let (log, _) = try open("/log", in: memory)
    try append(log, "one", [noise(1000)])
    for raw: UInt64 in [
      0, 1, UInt64.max, 1 << 40, 1 << 40 | 16, 1 << 40 | 1000, 2 << 40 | 16, 1 << 40 | 0xff_ffff_ffff,
    ] {
      #expect(throws: LogError.self) { try log.block(at: BlockAddress(rawValue: raw)) }
    }
  }

  @Test("A block is packed only when it is large enough and becomes an eighth smaller")
  func packing() throws {
    let (log, _) = try open("/log", in: memory)
    try append(log, "", [[UInt8](repeating: 1, count: 4095), [UInt8](repeating: 1, count: 4096), noise(4096)])
    var codecs: [BlockInfo.Codec] = []
    try log.visitRecords(after: 0) { record in codecs = record.blocks.map(\.codec) }
    #expect(codecs == [.none, .lz4, .none])
  }

  @Test("History is visited from any number on")
  func history() throws {
    let (log, _) = try open("/log", in: memory, testOptions(segmentBytesMax: 1000))
    for count in 1...20 { try append(log, "\(count)", [noise(100)]) }
    var seen: [UInt64] = []
    try log.visitRecords(after: 15) { seen.append($0.number) }
    #expect(seen == [16, 17, 18, 19, 20])
    try log.visitRecords(after: 20) { _ in Issue.record("there is nothing behind the last") }
    #expect(throws: LogError.self) { try log.visitRecord(0) { _ in } }
    #expect(throws: LogError.self) { try log.visitRecord(21) { _ in } }
  }

  @Test("What the builder throws comes out as it is, and nothing is written")
  func builderThrows() throws {
    struct Refused: Error {}
    let (log, _) = try open("/log", in: memory)
    #expect(throws: Refused.self) { try log.append(kind: 1) { _ in throw Refused() } }
    #expect(try append(log, "one").number == 1)
    let error = #expect(throws: LogError.self) { try log.append(kind: 0x80) { _ in RecordContent(meta: []) } }
    #expect(error?.code == .invalidContent)
  }

  @Test("A full segment is sealed and the next begun; a record larger than a segment has one of its own")
  func rollOver() throws {
    let options = testOptions(segmentBytesMax: 2000)
    let (log, _) = try open("/log", in: memory, options)
    for count in 1...10 { try append(log, "\(count)", [noise(400)]) }
    let large = try append(log, "large", [noise(10_000)])
    try append(log, "after")
    let segments = log.segments
    #expect(segments.map(\.sequence) == Array(1...UInt64(segments.count)))
    #expect(segments.dropLast().filter { !$0.isSealed }.isEmpty)
    #expect(segments.last?.isSealed == false)
    #expect(try log.block(at: large.blocks[0]).copy() == noise(10_000))
    try log.close()
    let (_, records) = try open("/log", in: memory, options)
    #expect(metas(records) == (1...10).map { "\($0)" } + ["large", "after"])
  }

  @Test("A log that was closed and not changed is not written again")
  func unchanged() throws {
    let (log, _) = try open("/log", in: memory)
    try append(log, "one")
    try log.close()
    let before = try contents(segmentPath("/log"), in: memory)
    try open("/log", in: memory).log.close()
    #expect(try contents(segmentPath("/log"), in: memory) == before)
  }

  @Test("A closed log refuses to append, says so, and may be closed again")
  func closed() throws {
    let (log, _) = try open("/log", in: memory)
    try log.close()
    try log.close()
    let error = #expect(throws: LogError.self) { try append(log, "late") }
    #expect(error?.code == .closed)
  }

  @Test("A visitor's error stops opening and is the cause")
  func visitorThrows() throws {
    struct Enough: Error {}
    let (log, _) = try open("/log", in: memory)
    try append(log, "one")
    try log.close()
    let error = #expect(throws: LogError.self) {
      try LogStore.open("/log", in: memory, options: testOptions()) { _ in throw Enough() }
    }
    #expect(error?.code == .stoppedByVisitor)
    #expect(error?.cause is Enough)
    // The lock was given back.
    #expect(try open("/log", in: memory).records.count == 1)
  }

  @Test("Appends from many threads are all there, each with a number of its own")
  func manyThreads() async throws {
    let (log, _) = try open("/log", in: memory, testOptions(segmentBytesMax: 20_000))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for count in 0..<50 {
            let bytes = noise(200, seed: UInt64(task * 100 + count + 1))
            let record = try append(log, "\(task)/\(count)", [bytes])
            let block = try log.block(at: record.blocks[0])
            #expect(block.copy() == bytes)
          }
        }
      }
      try await group.waitForAll()
    }
    try log.close()
    let (_, records) = try open("/log", in: memory)
    #expect(records.map(\.number) == Array(1...400))
    #expect(Set(metas(records)).count == 400)
  }
}

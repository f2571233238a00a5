import FileSystem
import SimulatedDisk
import Testing

@testable import LogStore

@Suite("Every place in a small log")
struct ExhaustiveTests {
  let memory = MemoryFileSystem()
  let path = segmentPath("/log")

  /// A closed log of three records, one of them packed, and what it holds.
  private func small() throws -> (bytes: [UInt8], records: [Kept]) {
    let (log, _) = try open("/log", in: memory)
    try append(log, "one", [[1, 2, 3]])
    try append(log, "two", [[UInt8](repeating: 5, count: 4096), noise(30)])
    try append(log, "three")
    try log.close()
    let (_, records) = try open("/log", in: memory, testOptions(.readOnly))
    return (try contents(path, in: memory), records)
  }

  /// Opens both ways and verifies; none of it may trap.
  private func look(_ bytes: [UInt8]) throws -> (
    written: Result<[Kept], LogError>, read: Result<[Kept], LogError>, VerifyReport?
  ) {
    func result(_ mode: LogStore.Options.Mode) throws -> Result<[Kept], LogError> {
      try put(bytes, at: path, in: memory)
      do {
        let (log, records) = try open("/log", in: memory, testOptions(mode))
        let damage = log.recovery.damage
        try log.close()
        return damage.map { .failure($0) } ?? .success(records)
      } catch let error as LogError {
        return .failure(error)
      }
    }
    let read = try result(.readOnly)
    let report = try? LogStore.verify("/log", in: memory)
    return (try result(.readWrite), read, report)
  }

  @Test("B025: every length of the file opens with the records that are whole in it")
  func truncations() throws {
    let (bytes, records) = try small()
    let ends = [128, 128 + 144, 0, 0]
    #expect(ends[1] < bytes.count)
    var found: Set<Int> = []
    for length in 129..<bytes.count {
      let (written, read, report) = try look(Array(bytes[0..<length]))
      let kept = try written.get()
      #expect(kept == Array(records.prefix(kept.count)))
      #expect(try read.get() == kept)
      #expect(report?.badPlaces.isEmpty == true)
      #expect(report?.recordCount == UInt64(kept.count))
      found.insert(kept.count)
    }
    #expect(found == [0, 1, 2, 3])
  }

  @Test("B026: every changed byte is noticed: an error that names the file, or no record is different or missing")
  func flips() throws {
    let (bytes, records) = try small()
    var errors = 0
    for index in bytes.indices {
      for mask: UInt8 in [0x01, 0x80, 0xff] {
        var changed = bytes
        changed[index] ^= mask
        let (written, read, report) = try look(changed)
        for result in [written, read] {
          switch result {
          case .success(let kept): #expect(kept == records, "byte \(index)")
          case .failure(let error):
            errors += 1
            #expect(error.code == .damaged, "byte \(index)")
            #expect(error.path == path)
          }
        }
        // Only the closing mark itself may look like an unfinished write.
        let isNoticed = report.map { !$0.badPlaces.isEmpty || $0.tornBytes > 0 } ?? false
        #expect(isNoticed, "byte \(index)")
      }
    }
    #expect(errors > bytes.count)
  }

  @Test("B026: every zeroed sector and every inserted or missing byte is noticed")
  func shifts() throws {
    let (bytes, records) = try small()
    for index in stride(from: 0, to: bytes.count, by: 7) {
      var inserted = bytes
      inserted.insert(0x55, at: index)
      var removed = bytes
      removed.remove(at: index)
      var zeroed = bytes
      for place in index..<min(index + 512, bytes.count) { zeroed[place] = 0 }
      for changed in [inserted, removed, zeroed] {
        let (written, _, _) = try look(changed)
        // What follows a shift is at a wrong offset, so it can look like a torn tail; what is found is right.
        if case .success(let kept) = written { #expect(kept == Array(records.prefix(kept.count))) }
      }
    }
  }

  @Test("B028: random bytes, and random changes to a real log, never trap in any way of opening")
  func random() throws {
    let (bytes, _) = try small()
    var generator = SeededGenerator(seed: 5)
    for round in 0..<400 {
      var changed = round % 4 == 0 ? noise(generator.below(3000), seed: UInt64(round)) : bytes
      for _ in 0..<generator.below(20) where !changed.isEmpty {
        changed[generator.below(changed.count)] = UInt8(truncatingIfNeeded: generator.next())
      }
      _ = try look(changed)
    }
  }

  @Test("Lies with right checksums get an error and reserve nothing", arguments: 0..<6)
  func lies(which: Int) throws {
    let uuid = testUUID
    let start = SegmentHeader.chainStart(of: uuid)
    let header = SegmentHeader(storeUUID: uuid, sequence: 1, firstNumber: 1, previousHash: start)
    var record = RecordHeader(
      kind: 1, bodyBytes: 64, number: 1, durableBytes: 128, offsetBytes: 128, previousHash: start, metaBytes: 0,
      blockCount: 1)
    var body = [UInt8](repeating: 0, count: 64)
    func put64(_ value: UInt64, _ offset: Int) {
      for index in 0..<8 { body[offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(index * 8)) }
    }
    switch which {
    case 0: record.bodyBytes = 1 << 32
    case 1: record.metaBytes = 1 << 24
    case 2: record.blockCount = 1 << 20
    case 3: put64(1 << 29, 16)
    case 4:
      body[12] = 1
      put64(1 << 30, 16)
      put64(32, 24)
    default:
      body[12] = 9
      put64(32, 16)
      put64(32, 24)
    }
    var bytes = [UInt8](repeating: 0, count: 64) + body + [UInt8](repeating: 0, count: 16)
    bytes.withUnsafeMutableBytes { raw in
      record.encode(into: raw, seed: SegmentHeader.seed(of: uuid, sequence: 1))
      let count = raw.count
      raw.store(UnsafeRawBufferPointer(raw).recordHash(seed: start), count - 8)
    }
    try memory.createDirectory("/log")
    let (written, _, report) = try look(header.encoded() + bytes)
    switch written {
    case .failure(let error): #expect(error.code == .damaged)
    // A record longer than its file is what a torn write looks like.
    case .success(let kept): #expect(kept.isEmpty && which == 0)
    }
    #expect(report != nil)
  }

  @Test("Every operation that fails, in every way, leaves what was acknowledged", arguments: [false, true])
  func failingOperations(fromThenOn: Bool) throws {
    let options = testOptions(segmentBytesMax: 700, preallocateBytes: 512)
    for failure: FaultPlan.Failure in [.inputOutput, .noSpace, .shortWrite] {
      var index = 1
      while true {
        let disk = SimulatedDisk(seed: UInt64(index))
        disk.plan.failingOperation = index
        disk.plan.failure = failure
        disk.plan.failsFromThenOn = fromThenOn
        let acknowledged = script(disk, options)
        let isDone = disk.operationCount < index
        for end in [disk.powerCut(seed: UInt64(index)), disk] {
          end.killProcess()
          end.plan = FaultPlan()
          let (log, found) = try open("/log", in: end, options)
          let metas = metas(found)
          #expect(Array(metas.prefix(acknowledged.count)) == acknowledged, "operation \(index)")
          #expect(metas.count <= acknowledged.count + 1, "operation \(index)")
          try append(log, "more")
        }
        if isDone { break }
        index += 1
      }
      #expect(index > 40)
    }
  }

  /// Opens, appends over several segments, closes, opens again and appends; returns what was acknowledged.
  private func script(_ disk: SimulatedDisk, _ options: LogStore.Options) -> [String] {
    var acknowledged: [String] = []
    for life in 0..<2 {
      if let log = try? open("/log", in: disk, options).log {
        for number in 0..<5 {
          let meta = "\(life).\(number)"
          do {
            try append(log, meta, [noise(150)])
            acknowledged.append(meta)
          } catch {}
        }
        try? log.close()
      }
      disk.killProcess()
    }
    return acknowledged
  }

  @Test("B113: a name is synced before anything rests on it")
  func syncOrder() throws {
    let disk = SimulatedDisk()
    disk.recordsOperations = true
    let (log, _) = try open("/log", in: disk, testOptions(segmentBytesMax: 700, preallocateBytes: 512))
    for number in 0..<5 { try append(log, "\(number)", [noise(300)]) }
    var isNameDurable = true
    var isHeaderDurable = true
    for operation in disk.operations {
      switch operation.verb {
      case "create": (isNameDurable, isHeaderDurable) = (false, false)
      case "sync": isHeaderDurable = true
      case "sync directory" where operation.path == "/log":
        #expect(isHeaderDurable)
        isNameDurable = true
      case "write" where operation.offsetBytes > 0: #expect(isNameDurable, "\(operation)")
      default: break
      }
    }
    #expect(disk.operations.filter { $0.verb == "create" }.count > 3)
  }
}

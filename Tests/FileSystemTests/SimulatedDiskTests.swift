import FileSystem
import SimulatedDisk
import Testing

@Suite("The simulated disk")
struct SimulatedDiskTests {
  private func write(_ bytes: [UInt8], _ file: any File, at offset: UInt64 = 0) throws {
    try bytes.withUnsafeBytes { try file.write($0, at: offset) }
  }

  private func contents(_ disk: SimulatedDisk, _ path: String) throws -> [UInt8]? {
    guard try disk.exists(path) else { return nil }
    let file = try disk.open(path, .read)
    var bytes = [UInt8](repeating: 0, count: Int(try file.size()))
    _ = try bytes.withUnsafeMutableBytes { try file.read(at: 0, into: $0) }
    return bytes
  }

  private func disk(_ body: (SimulatedDisk, any File) throws -> Void) throws -> SimulatedDisk {
    let disk = SimulatedDisk(seed: 1)
    try disk.createDirectory("/d")
    try disk.syncDirectory("/")
    let file = try disk.open("/d/a", .createNew)
    try body(disk, file)
    return disk
  }

  @Test("What was synced is there after every power cut")
  func synced() throws {
    let bytes = [UInt8](repeating: 1, count: 2000)
    let disk = try disk { disk, file in
      try write(bytes, file)
      try file.sync()
      try disk.syncDirectory("/d")
      try write([UInt8](repeating: 2, count: 3000), file, at: 2000)
    }
    for seed: UInt64 in 0..<500 {
      let found = try #require(try contents(disk.powerCut(seed: seed), "/d/a"))
      #expect(Array(found.prefix(2000)) == bytes)
    }
  }

  @Test("What was not synced is there in every degree: not at all, in part, torn in a sector, out of order, in full")
  func unsynced() throws {
    let bytes = [UInt8](repeating: 1, count: 2048)
    let disk = try disk { disk, file in
      try file.sync()
      try disk.syncDirectory("/d")
      try write(bytes, file)
    }
    var seen: Set<String> = []
    for seed: UInt64 in 0..<500 {
      let found = try #require(try contents(disk.powerCut(seed: seed), "/d/a"))
      if found.isEmpty { seen.insert("nothing") }
      if found == bytes { seen.insert("all") }
      let sectors = stride(from: 0, to: found.count, by: 512).map { Array(found[$0..<min($0 + 512, found.count)]) }
      let whole = sectors.map { $0.count == 512 && $0.allSatisfy { $0 == 1 } }
      if let last = whole.lastIndex(of: true), whole.firstIndex(of: false).map({ $0 < last }) == true {
        seen.insert("out of order")
      }
      if sectors.contains(where: { $0.contains(0) && $0.contains(1) }) { seen.insert("torn") }
      if found.contains(where: { $0 > 1 }) { seen.insert("garbage") }
      if found.count % 512 != 0 { seen.insert("size in between") }
    }
    #expect(seen == ["nothing", "all", "out of order", "torn", "garbage", "size in between"])
  }

  @Test("A name that was not synced may be gone, with bytes that were")
  func unsyncedName() throws {
    let disk = try disk { disk, file in
      try write([1], file)
      try file.sync()
    }
    let outcomes = try Set((0..<100).map { try contents(disk.powerCut(seed: $0), "/d/a") != nil })
    #expect(outcomes == [true, false])
  }

  @Test("A rename that was not synced leaves the old name or the new one, never none")
  func rename() throws {
    let disk = try disk { disk, file in
      try write([1], file)
      try file.sync()
      try disk.syncDirectory("/d")
      try disk.rename("/d/a", to: "/d/b")
    }
    var seen: Set<[String]> = []
    for seed: UInt64 in 0..<100 { seen.insert(try disk.powerCut(seed: seed).list("/d")) }
    #expect(seen == [["a"], ["b"]])
  }

  @Test("After a failed sync programs see the bytes, and a later sync doesn't save them")
  func failedSync() throws {
    var losses = 0
    for seed: UInt64 in 0..<50 {
      let disk = SimulatedDisk(seed: seed)
      let file = try disk.open("/a", .createNew)
      try disk.syncDirectory("/")
      try write([1, 2, 3], file)
      disk.plan.failingOperation = disk.operationCount + 1
      #expect(throws: FileError.self) { try file.sync() }
      #expect(try contents(disk, "/a") == [1, 2, 3])
      try file.sync()
      if try contents(disk.powerCut(seed: 1), "/a") != [1, 2, 3] { losses += 1 }
    }
    #expect(losses > 10)
  }

  @Test("The chosen operation fails, once or from then on, and a full disk says so")
  func faults() throws {
    let disk = SimulatedDisk()
    let file = try disk.open("/a", .createNew)
    disk.plan.failingOperation = disk.operationCount + 2
    try write([1], file)
    #expect(throws: FileError.self) { try write([2], file) }
    try write([3], file)
    disk.plan.failsFromThenOn = true
    #expect(throws: FileError.self) { try write([4], file) }
    #expect(throws: FileError.self) { try disk.list("/") }
    disk.plan = FaultPlan()
    disk.plan.spaceBytesMax = 10
    let error = #expect(throws: FileError.self) { try write([UInt8](repeating: 1, count: 11), file) }
    #expect(error?.code == .noSpace)
    try file.truncate(to: 0)
    try write([UInt8](repeating: 1, count: 10), file)
  }

  @Test("When the power goes, the operation may have been done and all further ones fail; the same seed, the same disk")
  func power() throws {
    let disk = try disk { disk, file in
      try file.sync()
      try disk.syncDirectory("/d")
      disk.plan.powerFailsAtOperation = disk.operationCount + 1
      #expect(throws: FileError.self) { try write([UInt8](repeating: 1, count: 700), file) }
      #expect(throws: FileError.self) { try file.sync() }
      #expect(throws: FileError.self) { try disk.list("/d") }
    }
    let outcomes = try Set((0..<100).map { try contents(disk.powerCut(seed: $0), "/d/a") ?? [9] })
    #expect(outcomes.count > 3)
    #expect(try contents(disk.powerCut(seed: 7), "/d/a") == contents(disk.powerCut(seed: 7), "/d/a"))
  }

  @Test("Operations are written down when asked for")
  func operations() throws {
    let disk = SimulatedDisk()
    disk.recordsOperations = true
    let file = try disk.open("/a", .createNew)
    try write([1, 2], file, at: 5)
    try file.sync()
    #expect(disk.operations.map(\.verb) == ["create", "write", "sync"])
    #expect(disk.operations[1].offsetBytes == 5)
    #expect(disk.operations[1].byteCount == 2)
  }
}

import FileSystem
import Foundation
import LogStore
import Testing

@Suite("On a real disk")
struct DiskTests {
  let disk = DiskFileSystem()

  @Test("Records and blocks come back, from this opener and the next, over several segments")
  func roundTrip() throws {
    let place = try TemporaryDirectory()
    let path = place.path + "/store"
    let options = testOptions(segmentBytesMax: 100_000, preallocateBytes: 4096)
    let (log, _) = try open(path, in: disk, options)
    var blocks: [(BlockAddress, [UInt8])] = []
    for number in 1...100 {
      let bytes = number % 3 == 0 ? [UInt8](repeating: 3, count: 9000) : noise(number * 97, seed: UInt64(number))
      let record = try append(log, "\(number)", [bytes])
      blocks.append((record.blocks[0], bytes))
      #expect(try log.block(at: record.blocks[0]).copy() == bytes)
    }
    let held = try log.block(at: blocks[0].0)
    try log.close()
    #expect(held.copy() == blocks[0].1)
    let (again, records) = try open(path, in: disk, options)
    #expect(records.count == 100)
    #expect(again.recovery.closedCleanly)
    for (address, bytes) in blocks { #expect(try again.block(at: address).copy() == bytes) }
    #expect(try LogStore.verify(path, in: disk).badPlaces.isEmpty)
    // Room set aside is given back when a log is closed.
    let used = again.segments.reduce(0) { $0 + $1.usedBytes }
    let onDisk = try again.segments.reduce(0) { try $0 + contents($1.path, in: disk).count }
    #expect(used == UInt64(onDisk))
    try again.close()
  }

  @Test("B086: killed in the middle of its work, a log opens without ado and has all that was acknowledged")
  func killed() async throws {
    let place = try TemporaryDirectory()
    setenv("ANNALS_TEST_KILLED", place.path + "/store", 1)
    for round in 1...3 {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        let path = ProcessInfo.processInfo.environment["ANNALS_TEST_KILLED"] ?? ""
        let (log, records) = try open(path, in: DiskFileSystem())
        for number in 1...20 { try append(log, "\(records.count + number)", [noise(500)]) }
        kill(getpid(), SIGKILL)
      }
      let (log, records) = try open(place.path + "/store", in: disk, testOptions(.readOnly))
      #expect(metas(records) == (1...round * 20).map { "\($0)" })
      #expect(!log.recovery.closedCleanly)
    }
    // The kernel gave the lock back.
    try open(place.path + "/store", in: disk).log.close()
  }

  @Test("A second process is refused with the process id of the first, and may read")
  func otherProcess() async throws {
    let place = try TemporaryDirectory()
    let (log, _) = try open(place.path + "/store", in: disk)
    try append(log, "1")
    setenv("ANNALS_TEST_LOCKED", place.path + "/store", 1)
    await #expect(processExitsWith: .success) {
      let path = ProcessInfo.processInfo.environment["ANNALS_TEST_LOCKED"] ?? ""
      do {
        _ = try open(path, in: DiskFileSystem())
        exit(1)
      } catch let error as LogError {
        if error.code != .locked || error.processID != getppid() { exit(2) }
      }
      let (_, records) = try open(path, in: DiskFileSystem(), testOptions(.readOnly))
      exit(metas(records) == ["1"] ? 0 : 3)
    }
    try log.close()
  }

  @Test("B112: through a link, the same log is the same log")
  func links() throws {
    let place = try TemporaryDirectory()
    let (log, _) = try open(place.path + "/store", in: disk)
    try FileManager.default.createSymbolicLink(
      atPath: place.path + "/link", withDestinationPath: place.path + "/store")
    #expect(#expect(throws: LogError.self) { try open(place.path + "/link", in: disk) }?.code == .locked)
    try FileManager.default.moveItem(atPath: place.path + "/store", toPath: place.path + "/moved")
    #expect(#expect(throws: LogError.self) { try append(log, "1") }?.code == .displaced)
  }

  @Test("A reader beside a writer at work never sees damage, only more and more records")
  func readerBesideWriter() async throws {
    let place = try TemporaryDirectory()
    let path = place.path + "/store"
    let options = testOptions(segmentBytesMax: 30_000, preallocateBytes: 4096)
    let (log, _) = try open(path, in: disk, options)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { for number in 1...200 { try append(log, "\(number)", [noise(number * 5)]) } }
      group.addTask {
        var last = 0
        while last < 200 {
          let (reader, records) = try open(path, in: DiskFileSystem(), testOptions(.readOnly))
          #expect(reader.recovery.damage == nil)
          #expect(records.count >= last)
          #expect(metas(records) == (0..<records.count).map { "\($0 + 1)" })
          last = records.count
          try reader.close()
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("B095: without write permission the error names the path and proposes reading; reading works")
  func noPermission() throws {
    let place = try TemporaryDirectory()
    let path = place.path + "/store"
    try open(path, in: disk).log.close()
    guard getuid() != 0 else { return }
    chmod(path, 0o555)
    chmod(path + "/writer.lock", 0o444)
    defer { chmod(path, 0o755) }
    let error = #expect(throws: LogError.self) { try open(path, in: disk) }
    #expect(error?.code == .permissionDenied)
    #expect(error?.message.contains("read-only") == true)
    _ = try open(path, in: disk, testOptions(.readOnly))
  }
}

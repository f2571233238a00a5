import FileSystem
import Foundation
import SimulatedDisk
import Testing

@testable import LogStore

/// Opening from a kept position: what is before it is neither read nor believed blindly (S: opening in constant time).
@Suite("Opening from a position")
struct PositionTests {
  /// A log of several segments, closed, and the position behind each of its records.
  private func filled(
    _ fileSystem: any FileSystem, records: Int = 40, segmentBytesMax: UInt64 = 2048
  ) throws -> [LogPosition] {
    let (log, _) = try open("/log", in: fileSystem, testOptions(segmentBytesMax: segmentBytesMax))
    var positions: [LogPosition] = []
    for number in 1...records {
      try append(log, "record \(number)", [noise(100 + number)])
      positions.append(try log.position(after: UInt64(number)))
    }
    try log.close()
    return positions
  }

  private func openFrom(
    _ position: LogPosition, in fileSystem: any FileSystem, _ options: LogStore.Options
  ) throws -> (log: LogStore, records: [Kept])? {
    var records: [Kept] = []
    guard
      let log = try LogStore.open(
        "/log", in: fileSystem, options: options, from: position,
        visit: {
          records.append(try keep($0))
        })
    else { return nil }
    return (log, records)
  }

  @Test("From every position, for reading and for writing, the records behind it are visited, and all can be read")
  func everyPosition() throws {
    let memory = MemoryFileSystem()
    let positions = try filled(memory)
    let (whole, all) = try open("/log", in: memory, testOptions(.readOnly))
    #expect(whole.segments.count > 3)
    for mode in [LogStore.Options.Mode.readOnly, .readWrite] {
      for position in positions {
        let opened = try openFrom(position, in: memory, testOptions(mode, segmentBytesMax: 2048))
        let (log, records) = try #require(opened)
        #expect(records == Array(all.dropFirst(Int(position.number))))
        #expect(log.lastNumber == 40)
        #expect(log.segments.map(\.firstNumber) == whole.segments.map(\.firstNumber))
        #expect(log.segments.map(\.usedBytes) == whole.segments.map(\.usedBytes))
        var read: [Kept] = []
        try log.visitRecords(after: 0) { record in
          read.append(try keep(record))
          for (index, block) in record.blocks.enumerated() {
            #expect(try log.block(at: block.address).copy() == record.block(index).copy())
          }
        }
        #expect(read == all)
        for other in positions { #expect(try log.position(after: other.number) == other) }
        try log.close()
      }
    }
  }

  @Test("A log opened from a position is written on, and is whole when it is opened from its start")
  func writesOn() throws {
    let disk = SimulatedDisk()
    var positions = try filled(disk)
    for round in 0..<12 {
      let options = testOptions(segmentBytesMax: 2048)
      let (log, _) = try #require(try openFrom(positions[round * 3], in: disk, options))
      try append(log, "round \(round)", [noise(300)])
      positions.append(try log.position(after: log.lastNumber))
      // Without a closing mark every other time, as when the process was killed.
      if round % 2 == 0 { try log.close() } else { disk.killProcess() }
    }
    let (log, all) = try open("/log", in: disk, testOptions(.readOnly))
    #expect(log.recovery.damage == nil)
    #expect(metas(all).suffix(12) == (0..<12).map { "round \($0)" }[...])
  }

  @Test("Segments before a position are opened only when something in them is asked for")
  func passedSegmentsStayClosed() throws {
    let memory = MemoryFileSystem()
    let positions = try filled(memory)
    let last = try #require(positions.last)
    try memory.remove("/log/log-0000000000000002.seg")
    let file = try memory.open("/log/log-0000000000000002.seg", .createNew)
    _ = file
    let (log, _) = try #require(try openFrom(last, in: memory, testOptions(.readOnly)))
    let inSecond = try #require(positions.first { $0.segment == 2 })
    #expect(throws: LogError.self) { try log.visitRecord(inSecond.number) { _ in } }
    try log.visitRecord(1) { #expect($0.number == 1) }
    try log.visitRecord(40) { #expect($0.number == 40) }
  }

  @Test("A position that another log gave, that lies behind the end, or whose hash differs is refused")
  func staleOnes() throws {
    let memory = MemoryFileSystem()
    let positions = try filled(memory)
    let last = try #require(positions.last)
    var wrong: [LogPosition] = []
    for change in 0..<7 {
      var position = last
      switch change {
      case 0: position.storeUUID = UUID()
      case 1: position.number += 1
      case 2: position.segment += 1
      case 3: position.recordOffsetBytes -= 16
      case 4: position.endBytes += 16
      case 5: position.hash ^= 1
      default: position.sealed.removeFirst()
      }
      wrong.append(position)
    }
    for position in wrong {
      for mode in [LogStore.Options.Mode.readOnly, .readWrite] {
        #expect(try openFrom(position, in: memory, testOptions(mode)) == nil)
      }
    }
    // An older copy of the log does not have what came later; nor does one that went another way since.
    let older = SimulatedDisk()
    let (log, _) = try open("/log", in: older, testOptions(segmentBytesMax: 2048))
    for number in 1...39 { try append(log, "record \(number)", [noise(100 + number)]) }
    #expect(try log.position(after: 39) == positions[38])
    older.killProcess()
    #expect(try openFrom(last, in: older, testOptions()) == nil)
    let (other, _) = try open("/log", in: older, testOptions(segmentBytesMax: 2048))
    try append(other, "another", [noise(140)])
    try other.close()
    #expect(try openFrom(last, in: older, testOptions()) == nil)
  }

  @Test("A torn tail behind a position is cut, and damage there is reported, as without one")
  func tailIsChecked() throws {
    let disk = SimulatedDisk()
    let positions = try filled(disk, segmentBytesMax: 64 << 10)
    let middle = positions[19]
    let damaged = disk.powerCut(seed: 1)
    try damaged.flipBit("/log/log-0000000000000001.seg", byte: Int(positions[29].recordOffsetBytes) + 70, bit: 3)
    #expect(throws: LogError.self) { _ = try openFrom(middle, in: damaged, testOptions()) }
    let (reader, records) = try #require(try openFrom(middle, in: damaged, testOptions(.readOnly)))
    #expect(reader.recovery.damage?.lastGoodNumber == 29)
    #expect(records.map(\.number) == Array(21...29))
    // Damage before the position is found when it is read.
    let before = disk.powerCut(seed: 2)
    try before.flipBit("/log/log-0000000000000001.seg", byte: Int(positions[9].recordOffsetBytes) + 70, bit: 3)
    let (log, _) = try #require(try openFrom(middle, in: before, testOptions()))
    #expect(throws: LogError.self) { try log.visitRecord(10) { _ in } }
    try log.visitRecord(11) { #expect($0.number == 11) }
  }
}

import FileSystem
import Foundation
import Testing

@testable import LogStore

@Suite("Every bit of a golden store")
struct GoldenFlipTests {
  @Test("B026: a single changed bit anywhere is noticed, and no record is ever read with another value")
  func everyBit() throws {
    let url = FormatTests.formats.appendingPathComponent("stores/v1/small/log-0000000000000001.seg")
    var bytes = [UInt8](try Data(contentsOf: url))
    let memory = MemoryFileSystem()
    try memory.createDirectory("/log")
    let path = segmentPath("/log")
    try put(bytes, at: path, in: memory)
    let (_, records) = try open("/log", in: memory, testOptions(.readOnly))
    #expect(records.count > 2)
    let file = try memory.open(path, .readWrite)
    var refused = 0
    for index in bytes.indices {
      for bit in 0..<8 {
        bytes[index] ^= 1 << bit
        try [bytes[index]].withUnsafeBytes { try file.write($0, at: UInt64(index)) }
        do {
          let report = try LogStore.verify("/log", in: memory)
          #expect(!report.badPlaces.isEmpty || report.tornBytes > 0, "bit \(bit) of byte \(index)")
        } catch {
          #expect(error.code == .newerFormat || error.code == .damaged)
        }
        do {
          let (log, found) = try open("/log", in: memory, testOptions(.readOnly))
          #expect(found == Array(records.prefix(found.count)), "bit \(bit) of byte \(index)")
          // Only the mark that the log was closed may look unfinished.
          if log.recovery.damage == nil { #expect(found.count == records.count, "bit \(bit) of byte \(index)") }
          if log.recovery.damage != nil { refused += 1 }
        } catch let error as LogError {
          #expect(error.code == .damaged, "bit \(bit) of byte \(index)")
          refused += 1
        }
        bytes[index] ^= 1 << bit
        try [bytes[index]].withUnsafeBytes { try file.write($0, at: UInt64(index)) }
      }
    }
    #expect(refused > (bytes.count - 100) * 8)
  }
}

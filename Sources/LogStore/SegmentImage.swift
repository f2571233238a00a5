import FileSystem
import Glibc

/// A segment's bytes as they were when it was mapped or copied.
final class SegmentImage: @unchecked Sendable {
  // unsafe: mapped or copied memory that lives as long as the object. A mapped image of the segment being written
  // sees what is appended; only offsets below the published end are read, and nothing there changes.
  let bytes: UnsafeRawBufferPointer
  /// Where in the segment the bytes start.
  let startsAt: UInt64
  /// Where in the segment it begins to hold what the file holds, but for the segment's header, which it always has.
  let validFrom: UInt64
  private let map: MappedFile?
  /// Whether what is written to the file later is seen in it.
  var isMapped: Bool { map != nil }

  /// Beyond it even a segment that somebody may be writing is mapped rather than copied.
  private static let copyBytesMax: UInt64 = 256 << 20

  /// - Parameter mayBeCut: The file may be truncated by another process while the image is used, so its tail must not
  ///   be touched through a map: that would be a bus error.
  /// - Parameter start: What is before it, but for the header, will not be asked for: a copy does without.
  init(_ file: any File, mayBeCut: Bool, from start: UInt64 = 0) throws(FileError) {
    startsAt = 0
    let size = try file.size()
    if !mayBeCut || size > Self.copyBytesMax, let map = try file.map() {
      self.map = map
      validFrom = 0
      bytes = map.bytes
      return
    }
    map = nil
    validFrom = min(start, size)
    bytes = try Self.read(file, at: 0, byteCount: size, from: validFrom)
  }

  init(_ map: MappedFile) {
    startsAt = 0
    validFrom = 0
    self.map = map
    bytes = map.bytes
  }

  /// A part of a file that can't be mapped.
  init(_ file: any File, at offset: UInt64, byteCount: Int) throws(FileError) {
    startsAt = offset
    validFrom = offset
    map = nil
    bytes = try Self.read(file, at: offset, byteCount: UInt64(byteCount))
  }

  deinit {
    if map == nil, let base = bytes.baseAddress { free(UnsafeMutableRawPointer(mutating: base)) }
  }

  /// - Parameter start: What is between the header's end and there is not read.
  private static func read(
    _ file: any File, at offset: UInt64, byteCount: UInt64, from start: UInt64 = 0
  ) throws(FileError) -> UnsafeRawBufferPointer {
    guard byteCount > 0 else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    // malloc may say no, where Swift's allocation would trap.
    guard byteCount < UInt64(Int.max), let memory = malloc(Int(byteCount)) else {
      throw FileError(.inputOutput, operation: "read", path: file.path, errorNumber: ENOMEM)
    }
    let buffer = UnsafeMutableRawBufferPointer(start: memory, count: Int(byteCount))
    do throws(FileError) {
      let head = FormatLimits.segmentHeaderBytes
      guard start > UInt64(head) else {
        let count = try file.read(at: offset, into: buffer)
        return UnsafeRawBufferPointer(start: memory, count: count)
      }
      _ = try file.read(at: 0, into: UnsafeMutableRawBufferPointer(rebasing: buffer[0..<head]))
      let count = try file.read(at: start, into: UnsafeMutableRawBufferPointer(rebasing: buffer[Int(start)...]))
      return UnsafeRawBufferPointer(start: memory, count: Int(start) + count)
    } catch {
      free(memory)
      throw error
    }
  }
}

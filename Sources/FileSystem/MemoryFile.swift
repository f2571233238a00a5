import Glibc
import Synchronization

/// A file in memory. Its bytes don't move while a map of them is held: a file that outgrows its memory gets new one,
/// and the map keeps the old, which has all that was written before.
final class MemoryFile: File {
  /// Zeroed memory that a map can share with the file.
  final class Buffer: @unchecked Sendable {
    // unsafe: written under the lock of `Contents`, and read by maps only where nothing is written any more, just as
    // with a mapped file on a disk.
    let base: UnsafeMutableRawPointer
    let capacity: Int

    init?(capacity: Int) {
      // calloc takes large zeroed memory from the system without touching it.
      guard let base = calloc(1, max(capacity, 16)) else { return nil }
      self.base = base
      self.capacity = capacity
    }

    deinit { free(base) }
  }

  final class Contents: Sendable {
    struct State {
      var buffer: Buffer?
      var size = 0
      /// Up to here bytes were written, not only set aside.
      var written = 0
    }
    let state = Mutex(State())
  }

  let path: String
  private let contents: Contents
  private let isWritable: Bool
  private let inPlace: @Sendable () -> Bool

  init(path: String, contents: Contents, isWritable: Bool, inPlace: @escaping @Sendable () -> Bool) {
    self.path = path
    self.contents = contents
    self.isWritable = isWritable
    self.inPlace = inPlace
  }

  func size() throws(FileError) -> UInt64 { contents.state.withLock { UInt64($0.size) } }

  func read(at offsetBytes: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
    contents.state.withLock { state in
      guard offsetBytes < UInt64(state.size), let source = state.buffer, let target = buffer.baseAddress else {
        return 0
      }
      let count = min(buffer.count, state.size - Int(offsetBytes))
      memcpy(target, source.base + Int(offsetBytes), count)
      return count
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offsetBytes: UInt64) throws(FileError) {
    try checkWritable("write")
    guard let source = bytes.baseAddress, bytes.count > 0 else { return }
    guard offsetBytes < 1 << 46 else { throw FileError(.noSpace, operation: "write", path: path) }
    let path = self.path
    try contents.state.withLock { state throws(FileError) in
      let end = Int(offsetBytes) + bytes.count
      let buffer = try Self.grow(&state, to: end, path)
      memcpy(buffer.base + Int(offsetBytes), source, bytes.count)
      state.size = max(state.size, end)
      state.written = max(state.written, end)
    }
  }

  func truncate(to sizeBytes: UInt64) throws(FileError) {
    try checkWritable("truncate")
    let path = self.path
    guard sizeBytes < 1 << 46 else { throw FileError(.noSpace, operation: "truncate", path: path) }
    try contents.state.withLock { state throws(FileError) in
      let size = Int(sizeBytes)
      if size > state.size {
        _ = try Self.grow(&state, to: size, path)
      } else if let buffer = state.buffer {
        memset(buffer.base + size, 0, state.size - size)
      }
      state.size = size
      state.written = min(state.written, size)
    }
  }

  func preallocate(to sizeBytes: UInt64) throws(FileError) {
    if sizeBytes > (try size()) { try truncate(to: sizeBytes) }
  }

  func sync() throws(FileError) {}

  func map() throws(FileError) -> MappedFile? {
    contents.state.withLock { state in
      // Not the room set aside: when the file moves to larger memory, the map would not see what is written there.
      guard let buffer = state.buffer, state.written > 0 else { return nil }
      let bytes = UnsafeRawBufferPointer(start: buffer.base, count: state.written)
      return MappedFile(bytes: bytes) { withExtendedLifetime(buffer) {} }
    }
  }

  func close() throws(FileError) {}

  func isInPlace() throws(FileError) -> Bool { inPlace() }

  private func checkWritable(_ operation: String) throws(FileError) {
    if !isWritable { throw FileError(.permissionDenied, operation: operation, path: path) }
  }

  private static func grow(_ state: inout Contents.State, to size: Int, _ path: String) throws(FileError) -> Buffer {
    if let buffer = state.buffer, buffer.capacity >= size { return buffer }
    let capacity = max(size, (state.buffer?.capacity ?? 0) * 2)
    guard let buffer = Buffer(capacity: capacity) else {
      throw FileError(.noSpace, operation: "write", path: path, errorNumber: ENOMEM)
    }
    if let old = state.buffer { memcpy(buffer.base, old.base, state.size) }
    state.buffer = buffer
    return buffer
  }
}

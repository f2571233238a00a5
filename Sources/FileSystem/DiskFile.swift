import Glibc
import Synchronization

/// A file behind a descriptor, closed with the object at the latest.
final class DiskFile: File {
  let path: String
  private let descriptor: Int32
  private let isClosed = Atomic<Bool>(false)

  init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit { if !isClosed.load(ordering: .relaxed) { Glibc.close(descriptor) } }

  func size() throws(FileError) -> UInt64 {
    var status = stat()
    if fstat(try open("size"), &status) != 0 { throw .system("size", path) }
    return UInt64(status.st_size)
  }

  func read(at offsetBytes: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
    let descriptor = try open("read")
    var done = 0
    while done < buffer.count {
      let position = try self.position(offsetBytes, done, "read")
      let count = pread(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, position)
      if count < 0 {
        if errno == EINTR { continue }
        throw .system("read", path)
      }
      if count == 0 { break }
      done += count
    }
    return done
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offsetBytes: UInt64) throws(FileError) {
    let descriptor = try open("write")
    var done = 0
    while done < bytes.count {
      let position = try self.position(offsetBytes, done, "write")
      let count = pwrite(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, position)
      if count < 0 {
        if errno == EINTR { continue }
        throw .system("write", path)
      }
      // A disk that takes nothing and says nothing would keep this going for ever.
      if count == 0 { throw FileError(.inputOutput, operation: "write", path: path) }
      done += count
    }
  }

  func truncate(to sizeBytes: UInt64) throws(FileError) {
    let descriptor = try open("truncate")
    let size = try position(sizeBytes, 0, "truncate")
    while ftruncate(descriptor, size) != 0 {
      if errno != EINTR { throw .system("truncate", path) }
    }
  }

  func preallocate(to sizeBytes: UInt64) throws(FileError) {
    let descriptor = try open("preallocate")
    let size = try position(sizeBytes, 0, "preallocate")
    let start = off_t(clamping: try self.size())
    guard size > start else { return }
    while true {
      let number = posix_fallocate(descriptor, start, size - start)
      if number == 0 { return }
      if number == EINTR { continue }
      // Room is a kindness to later writes; where there is no such call, they make their own.
      if number == EOPNOTSUPP || number == ENOSYS || number == EINVAL { return }
      throw .system("preallocate", path, number)
    }
  }

  func sync() throws(FileError) {
    // Not made again when it fails, not even after EINTR: the system may have forgotten by then what was not written.
    if fdatasync(try open("sync")) != 0 { throw .system("sync", path) }
  }

  func map() throws(FileError) -> MappedFile? {
    let size = try self.size()
    guard size > 0, size <= UInt64(Int.max) else { return nil }
    let count = Int(size)
    guard let address = mmap(nil, count, PROT_READ, MAP_SHARED, try open("map"), 0), address != MAP_FAILED else {
      let number = errno
      if number == ENODEV || number == EACCES { return nil }
      throw .system("map", path, number)
    }
    let start = UInt(bitPattern: address)
    return MappedFile(bytes: UnsafeRawBufferPointer(start: address, count: count)) {
      munmap(UnsafeMutableRawPointer(bitPattern: start), count)
    }
  }

  func close() throws(FileError) {
    if isClosed.exchange(true, ordering: .relaxed) { return }
    // Never again after EINTR: on Linux the descriptor is gone, and its number may be somebody else's.
    if Glibc.close(descriptor) != 0, errno != EINTR { throw .system("close", path) }
  }

  func isInPlace() throws(FileError) -> Bool {
    var mine = stat()
    var there = stat()
    if fstat(try open("look up"), &mine) != 0 { throw .system("look up", path) }
    guard stat(path, &there) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return false }
      throw .system("look up", path)
    }
    return mine.st_ino == there.st_ino && mine.st_dev == there.st_dev
  }

  private func open(_ operation: String) throws(FileError) -> Int32 {
    if isClosed.load(ordering: .relaxed) { throw .system(operation, path, EBADF) }
    return descriptor
  }

  private func position(_ offsetBytes: UInt64, _ done: Int, _ operation: String) throws(FileError) -> off_t {
    guard let position = off_t(exactly: offsetBytes), position <= off_t.max - off_t(done) else {
      throw .system(operation, path, EFBIG)
    }
    return position + off_t(done)
  }
}

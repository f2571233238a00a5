import Glibc
import Synchronization

/// A lock of an open file description: unlike the classic ones of `fcntl`, it is not lost when somebody else in the
/// process closes the same file, and a second opener in the same process is refused like any other. The kernel drops
/// it when the process dies, so there is no stale lock to clean up; the file itself is never renamed or removed.
final class DiskFileLock: FileLock {
  /// F_OFD_SETLK of <fcntl.h>, which Swift's import leaves out; the same number on every Linux.
  private static let setLockCommand: Int32 = 37
  private let descriptor: Int32
  private let ownerProcessID = getpid()
  private let isReleased = Atomic<Bool>(false)

  init(_ path: String) throws(FileError) {
    let descriptor = try DiskFileSystem.descriptor(path, O_RDWR | O_CREAT, operation: "lock")
    var range = Self.wholeFile(F_WRLCK)
    while fcntl(descriptor, Self.setLockCommand, &range) != 0 {
      let number = errno
      if number == EINTR { continue }
      defer { Glibc.close(descriptor) }
      if number == EAGAIN || number == EACCES {
        let holder = Self.holder(descriptor)
        throw FileError(.locked, operation: "lock", path: path, errorNumber: number, processID: holder)
      }
      if number == EINVAL {
        throw FileError(.unsupported, operation: "lock", path: path, errorNumber: number)
      }
      throw .system("lock", path, number)
    }
    self.descriptor = descriptor
    announce()
  }

  deinit { release() }

  func release() {
    if isReleased.exchange(true, ordering: .relaxed) { return }
    // Closing alone would leave it held: a child that another thread is just starting shares the description from its
    // fork to its exec. Unlocking lets go of the description's lock whoever else has it open, so a forked copy of this
    // object must not: the lock is its parent's.
    if getpid() == ownerProcessID {
      var range = Self.wholeFile(F_UNLCK)
      _ = fcntl(descriptor, Self.setLockCommand, &range)
    }
    Glibc.close(descriptor)
  }

  private static func wholeFile(_ type: Int32) -> flock {
    var range = flock()
    range.l_type = Int16(type)
    range.l_whence = Int16(SEEK_SET)
    range.l_start = 0
    range.l_len = 0
    range.l_pid = 0
    return range
  }

  /// Who holds the lock is told to those who are refused. It is only a hint: a full disk must not stand in the way.
  private func announce() {
    let text = Array("\(getpid())\n".utf8)
    if ftruncate(descriptor, 0) == 0 {
      _ = text.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }
  }

  private static func holder(_ descriptor: Int32) -> Int32? {
    var text = [UInt8](repeating: 0, count: 16)
    let count = text.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    guard count > 0 else { return nil }
    let digits = text[0..<count].prefix { $0 >= 0x30 && $0 <= 0x39 }
    return Int32(String(decoding: digits, as: UTF8.self))
  }
}

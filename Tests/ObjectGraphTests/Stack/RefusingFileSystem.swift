import FileSystem
import Foundation

/// A memory file system that refuses to make or write anything while told to, as a full or a read-only disk does.
final class RefusingFileSystem: FileSystem, @unchecked Sendable {
  // unchecked: `refusal` is behind the lock.
  private let base = MemoryFileSystem()
  private let lock = NSLock()
  private var refusal: FileError.Code?

  /// With a directory "/data" to put stores in.
  init() throws { try base.createDirectory("/data") }

  func refuse(_ code: FileError.Code?) { lock.withLock { refusal = code } }

  private func check(_ operation: String, _ path: String) throws(FileError) {
    guard let code = lock.withLock({ refusal }) else { return }
    throw FileError(code, operation: operation, path: path, errorNumber: code == .noSpace ? 28 : 30)
  }

  func open(_ path: String, _ mode: FileOpenMode) throws(FileError) -> any File {
    if case .createNew = mode { try check("open", path) }
    return RefusingFile(try base.open(path, mode), self)
  }
  func createDirectory(_ path: String) throws(FileError) {
    try check("create directory", path)
    try base.createDirectory(path)
  }
  func list(_ path: String) throws(FileError) -> [String] { try base.list(path) }
  func exists(_ path: String) throws(FileError) -> Bool { try base.exists(path) }
  func rename(_ from: String, to: String) throws(FileError) { try base.rename(from, to: to) }
  func remove(_ path: String) throws(FileError) { try base.remove(path) }
  func syncDirectory(_ path: String) throws(FileError) { try base.syncDirectory(path) }
  func lock(_ path: String) throws(FileError) -> any FileLock {
    try check("lock", path)
    return try base.lock(path)
  }

  private final class RefusingFile: File {
    private let base: any File
    private let system: RefusingFileSystem
    init(_ base: any File, _ system: RefusingFileSystem) {
      self.base = base
      self.system = system
    }
    var path: String { base.path }
    func size() throws(FileError) -> UInt64 { try base.size() }
    func read(at offsetBytes: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
      try base.read(at: offsetBytes, into: buffer)
    }
    func write(_ bytes: UnsafeRawBufferPointer, at offsetBytes: UInt64) throws(FileError) {
      try system.check("write", path)
      try base.write(bytes, at: offsetBytes)
    }
    func truncate(to sizeBytes: UInt64) throws(FileError) { try base.truncate(to: sizeBytes) }
    func preallocate(to sizeBytes: UInt64) throws(FileError) { try base.preallocate(to: sizeBytes) }
    func sync() throws(FileError) { try base.sync() }
    func map() throws(FileError) -> MappedFile? { try base.map() }
    func close() throws(FileError) { try base.close() }
    func isInPlace() throws(FileError) -> Bool { try base.isInPlace() }
  }
}

/// The verbs a store needs of a file system. One call is one operation that a simulated disk can fail, tear or forget.
///
/// Paths are absolute or relative to the process, as the system takes them. Every method may be called from any thread.
public protocol FileSystem: AnyObject, Sendable {
  /// Opens a file.
  func open(_ path: String, _ mode: FileOpenMode) throws(FileError) -> any File
  /// Creates a directory; one that exists is fine.
  func createDirectory(_ path: String) throws(FileError)
  /// Names in a directory, sorted, without "." and "..".
  func list(_ path: String) throws(FileError) -> [String]
  func exists(_ path: String) throws(FileError) -> Bool
  /// Replaces `to` if it exists, in one step.
  func rename(_ from: String, to: String) throws(FileError)
  func remove(_ path: String) throws(FileError)
  /// Makes names created, renamed and removed in a directory durable.
  func syncDirectory(_ path: String) throws(FileError)
  /// Takes the exclusive lock that a file stands for, creating the file if need be, or says who holds it. Never waits.
  /// The kernel gives it back when the process dies.
  func lock(_ path: String) throws(FileError) -> any FileLock
}

/// What an opened file is for, and whether it must exist.
public enum FileOpenMode: Sendable {
  /// Reads a file that exists.
  case read
  /// Reads and writes a file that exists.
  case readWrite
  /// Creates a file that must not exist.
  case createNew
}

/// An open file. Positions are explicit: there is no cursor to share.
public protocol File: AnyObject, Sendable {
  var path: String { get }
  func size() throws(FileError) -> UInt64
  /// Fills `buffer` from a position; returns how many bytes were there (fewer only at the end of the file).
  func read(at offsetBytes: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int
  /// Writes all of `bytes` at a position, or throws; after a throw, what is there is unknown.
  func write(_ bytes: UnsafeRawBufferPointer, at offsetBytes: UInt64) throws(FileError)
  func truncate(to sizeBytes: UInt64) throws(FileError)
  /// Reserves room so that later writes up to a size need none; may do nothing.
  func preallocate(to sizeBytes: UInt64) throws(FileError)
  /// Returns when everything written is durable. After it threw, it must not be tried again: see `FileError`.
  func sync() throws(FileError)
  /// Maps the file for reading, from its start to what was written of it or further; `nil` where the file system
  /// can't (read instead).
  func map() throws(FileError) -> MappedFile?
  func close() throws(FileError)
  /// Whether the file's path still leads to this very file: not after it was renamed, removed or replaced.
  func isInPlace() throws(FileError) -> Bool
}

/// Held until released, or until the process ends.
public protocol FileLock: AnyObject, Sendable {
  func release()
}

/// Bytes of a file in memory, unmapped when the last reference goes.
public final class MappedFile: @unchecked Sendable {
  // unsafe: immutable memory, read through raw pointers by rows; freed only when nobody holds the object.
  /// The bytes: valid while the object lives, never written to.
  public let bytes: UnsafeRawBufferPointer
  private let free: @Sendable () -> Void

  /// - Parameter free: gives the memory back; called once, from any thread.
  public init(bytes: UnsafeRawBufferPointer, free: @escaping @Sendable () -> Void) {
    self.bytes = bytes
    self.free = free
  }

  deinit { free() }
}

import Glibc

/// The machine's own file system, through POSIX calls. Interrupted calls are made again, short ones go on.
public final class DiskFileSystem: FileSystem {
  public init() {}

  public func open(_ path: String, _ mode: FileOpenMode) throws(FileError) -> any File {
    let flags: Int32
    switch mode {
    case .read: flags = O_RDONLY
    case .readWrite: flags = O_RDWR
    case .createNew: flags = O_RDWR | O_CREAT | O_EXCL
    }
    return DiskFile(path: path, descriptor: try Self.descriptor(path, flags, operation: "open"))
  }

  public func createDirectory(_ path: String) throws(FileError) {
    try Self.check(path, "create directory")
    guard mkdir(path, 0o777) != 0 else { return }
    let number = errno
    var status = stat()
    if number == EEXIST, stat(path, &status) == 0 {
      if status.st_mode & S_IFMT == S_IFDIR { return }
      throw FileError(.notADirectory, operation: "create directory", path: path, errorNumber: ENOTDIR)
    }
    throw .system("create directory", path, number)
  }

  public func list(_ path: String) throws(FileError) -> [String] {
    try Self.check(path, "list")
    guard let directory = opendir(path) else { throw .system("list", path) }
    defer { closedir(directory) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(directory) else { break }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    if errno != 0 { throw .system("list", path) }
    return names.sorted()
  }

  public func exists(_ path: String) throws(FileError) -> Bool {
    try Self.check(path, "look up")
    var status = stat()
    if stat(path, &status) == 0 { return true }
    if errno == ENOENT || errno == ENOTDIR { return false }
    throw .system("look up", path)
  }

  public func rename(_ from: String, to: String) throws(FileError) {
    try Self.check(from, "rename")
    try Self.check(to, "rename")
    if Glibc.rename(from, to) != 0 { throw .system("rename", from) }
  }

  public func remove(_ path: String) throws(FileError) {
    try Self.check(path, "remove")
    if Glibc.remove(path) != 0 { throw .system("remove", path) }
  }

  public func syncDirectory(_ path: String) throws(FileError) {
    let descriptor = try Self.descriptor(path, O_RDONLY | O_DIRECTORY, operation: "sync directory")
    defer { Glibc.close(descriptor) }
    if fsync(descriptor) != 0 { throw .system("sync directory", path) }
  }

  public func lock(_ path: String) throws(FileError) -> any FileLock {
    try DiskFileLock(path)
  }

  static func descriptor(_ path: String, _ flags: Int32, operation: String) throws(FileError) -> Int32 {
    try check(path, operation)
    while true {
      let descriptor = Glibc.open(path, flags | O_CLOEXEC, 0o666)
      if descriptor >= 0 { return descriptor }
      if errno != EINTR { throw .system(operation, path) }
    }
  }

  /// C would take a path up to its first zero, which is another path.
  private static func check(_ path: String, _ operation: String) throws(FileError) {
    if path.isEmpty || path.utf8.contains(0) { throw FileError(.badPath, operation: operation, path: path) }
  }
}

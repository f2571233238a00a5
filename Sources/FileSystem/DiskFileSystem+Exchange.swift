import Glibc

extension DiskFileSystem {
  /// Lets two files or directories of one file system change names, in one step where the file system can; else in two,
  /// between which the second name is free.
  public static func exchange(_ path: String, _ other: String) throws(FileError) {
    // The C library's header shows the function only to programs that ask for it.
    typealias Rename = @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
    let exchangeNames: UInt32 = 2
    if let symbol = dlsym(nil, "renameat2") {
      // unsafe: the function's type in C.
      let rename: Rename = unsafeBitCast(symbol, to: Rename.self)
      if rename(AT_FDCWD, path, AT_FDCWD, other, exchangeNames) == 0 { return }
      if errno != EINVAL && errno != ENOSYS { throw .system("exchange", path) }
    }
    let aside = path + ".aside"
    for (from, to) in [(other, aside), (path, other), (aside, path)] where Glibc.rename(from, to) != 0 {
      throw .system("exchange", from)
    }
  }
}

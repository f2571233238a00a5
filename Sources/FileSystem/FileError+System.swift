import Glibc

extension FileError {
  /// The error for what the system just said in `errno`.
  static func system(_ operation: String, _ path: String, _ number: Int32 = errno) -> FileError {
    FileError(code(for: number), operation: operation, path: path, errorNumber: number)
  }

  static func code(for number: Int32) -> Code {
    switch number {
    case ENOENT: .notFound
    case EEXIST: .alreadyExists
    case EACCES, EPERM: .permissionDenied
    case EROFS: .readOnly
    case ENOSPC, EDQUOT, EFBIG: .noSpace
    case EAGAIN, EWOULDBLOCK: .locked
    case EMFILE, ENFILE: .tooManyFiles
    case EOPNOTSUPP, ENOTSUP, ENOSYS, ENOLCK: .unsupported
    case ENOTDIR: .notADirectory
    case EISDIR: .isADirectory
    case ENAMETOOLONG, ELOOP, EINVAL: .badPath
    default: .inputOutput
    }
  }
}

import FileSystem
import LogStore
import Schema

extension ToolFailure {
  /// What an error of the layers below means to the caller of the tool.
  init(_ error: any Error) {
    switch error {
    case let error as StoreError: self.init(error)
    case let error as LogError: self.init(error)
    case let error as FileError: self.init(error)
    default: self.init(.cannotOpen, "\(error)")
    }
  }

  init(_ error: StoreError) {
    let code: ExitCode =
      switch error.code {
      case .damaged: .damaged
      case .newerFormat: .newerFormat
      default: .cannotOpen
      }
    self.init(code, error.description, path: error.path, offsetBytes: error.offsetBytes)
  }

  init(_ error: LogError) {
    let code: ExitCode =
      switch error.code {
      case .damaged: .damaged
      case .newerFormat: .newerFormat
      default: .cannotOpen
      }
    self.init(code, error.description, path: error.path, offsetBytes: error.offsetBytes)
  }

  init(_ error: FileError) {
    let reason: String =
      switch error.code {
      case .notFound: "no such file or directory"
      case .permissionDenied: "permission denied"
      case .readOnly: "read-only"
      case .tooManyFiles: "too many open files"
      case .locked: "locked\(error.processID.map { " by process \($0)" } ?? "")"
      case .unsupported: "not supported there"
      default: "input/output error\(error.errorNumber != 0 ? " (errno \(error.errorNumber))" : "")"
      }
    self.init(.cannotOpen, "\(error.path): cannot \(error.operation): \(reason)", path: error.path)
  }
}

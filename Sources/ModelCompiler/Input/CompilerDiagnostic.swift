internal import Model

/// A message about a model or a source file, printed as compilers print theirs, so that builds and editors show it at
/// its place.
public struct CompilerDiagnostic: Sendable, Hashable {
  public enum Severity: String, Sendable { case note, warning, error }

  public let severity: Severity
  public let message: String
  /// Where; nil for what concerns no single place.
  public let location: SourceLocation?

  init(_ severity: Severity, _ message: String, at location: SourceLocation?) {
    self.severity = severity
    self.message = message
    self.location = location
  }

  init(_ diagnostic: ModelDiagnostic, defaultPath: String) {
    let subject: [String] = [diagnostic.entity, diagnostic.property].compactMap(\.self)
    self.init(
      diagnostic.severity == .error ? .error : .warning,
      (subject.isEmpty ? "" : subject.joined(separator: ".") + ": ") + diagnostic.message,
      at: SourceLocation(path: diagnostic.file ?? defaultPath, line: diagnostic.line ?? 1))
  }
}

extension CompilerDiagnostic: CustomStringConvertible {
  public var description: String {
    guard let location else { return "\(severity.rawValue): \(message)" }
    return "\(location.path):\(location.line):\(location.column): \(severity.rawValue): \(message)"
  }
}

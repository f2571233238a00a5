/// One thing that is wrong, or odd, in a model.
public struct ModelDiagnostic: Sendable, Hashable {
  public enum Severity: String, Sendable, Hashable { case warning, error }

  public let severity: Severity
  /// What is wrong and what to do, without the place.
  public let message: String
  public let file: String?
  /// From 1; `nil` for a model built in code.
  public let line: Int?
  public let entity: String?
  public let property: String?

  public init(
    _ severity: Severity, _ message: String, file: String? = nil, line: Int? = nil, entity: String? = nil,
    property: String? = nil
  ) {
    self.severity = severity
    self.message = message
    self.file = file
    self.line = line
    self.entity = entity
    self.property = property
  }
}

extension ModelDiagnostic: CustomStringConvertible {
  /// `file:line: severity: Entity.property: message`, as compilers write it.
  public var description: String {
    var place: String = file ?? ""
    if let line { place += "\(place.isEmpty ? "line " : ":")\(line)" }
    var subject: String = entity ?? ""
    if let property { subject += "\(subject.isEmpty ? "" : ".")\(property)" }
    return (place.isEmpty ? "" : "\(place): ") + "\(severity.rawValue): " + (subject.isEmpty ? "" : "\(subject): ")
      + message
  }
}

/// One thing that is wrong, or odd, in a model.
public struct ModelDiagnostic: Sendable, Hashable {
  /// A warning leaves the model usable.
  public enum Severity: String, Sendable, Hashable { case warning, error }

  /// Whether the model can be used all the same.
  public let severity: Severity
  /// What is wrong and what to do, without the place.
  public let message: String
  /// The file it is in; `nil` for a model built in code.
  public let file: String?
  /// From 1; `nil` for a model built in code.
  public let line: Int?
  /// The entity concerned.
  public let entity: String?
  /// The property concerned.
  public let property: String?

  /// - Parameters:
  ///   - severity: whether the model can be used all the same.
  ///   - message: what is wrong and what to do, without the place.
  ///   - file: where.
  ///   - line: where in it, counted from 1.
  ///   - entity: what it is about.
  ///   - property: what of the entity.
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

/// What a delete does to the objects at the other end of a relationship. The raw values are Core Data's.
public enum NSDeleteRule: UInt, Sendable, CaseIterable {
  /// They keep pointing at the object that is gone.
  case noActionDeleteRule = 0
  /// Their inverse is cleared.
  case nullifyDeleteRule = 1
  /// They are deleted too.
  case cascadeDeleteRule = 2
  /// The delete is refused while there are any.
  case denyDeleteRule = 3
}

extension NSDeleteRule {
  /// The name a model file uses.
  package var fileName: String {
    switch self {
    case .noActionDeleteRule: "No Action"
    case .nullifyDeleteRule: "Nullify"
    case .cascadeDeleteRule: "Cascade"
    case .denyDeleteRule: "Deny"
    }
  }

  package init?(fileName: String) {
    guard let rule = Self.allCases.first(where: { $0.fileName == fileName }) else { return nil }
    self = rule
  }
}

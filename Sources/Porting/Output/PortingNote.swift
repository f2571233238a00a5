/// Something done to a file, or something that a person has to do.
public struct PortingNote: Sendable, Hashable {
  public enum Kind: Sendable { case change, remark }

  public let kind: Kind
  public let path: String
  /// Counted from 1.
  public let line: Int
  /// Counted in bytes from 1, as the compiler counts.
  public let column: Int
  /// What was done, or what Linux lacks.
  public let what: String
  /// What to do about it; empty for a change.
  public let cure: String
  /// Whether Apple's platforms lose something that only shows when the program runs, such as a name by which Core Data
  /// or key-value coding finds a member there.
  public let weakensApple: Bool
}

extension PortingNote: CustomStringConvertible {
  /// `file:line:column: what`, so that editors find the place.
  public var description: String {
    let place = "\(path):\(line):\(column): "
    return kind == .change ? place + what : "\(place)not ported: \(what); \(cure)"
  }
}

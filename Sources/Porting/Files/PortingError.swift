/// A file that can't be ported at all.
public struct PortingError: Error, CustomStringConvertible {
  public let path: String
  public let message: String

  public var description: String { "\(path): \(message)" }
}

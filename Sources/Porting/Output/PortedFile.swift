/// A file after porting.
public struct PortedFile: Sendable {
  public let path: String
  public let original: [UInt8]
  public let ported: [UInt8]
  /// Changes and remarks in the order of the file.
  public let notes: [PortingNote]

  public var isChanged: Bool { original != ported }
}

/// Why bytes could not be read: what was wanted, and where.
public struct ByteError: Error, Hashable, Sendable {
  public struct Code: Hashable, Sendable {
    private enum Name: Hashable, Sendable {
      case tooShort, badVarint, badText, badCompression, tooLarge
    }
    private let name: Name
    private init(_ name: Name) { self.name = name }

    /// Fewer bytes are left than the read needs.
    public static let tooShort = Code(.tooShort)
    /// A variable-length number that doesn't end, or doesn't fit.
    public static let badVarint = Code(.badVarint)
    public static let badText = Code(.badText)
    /// LZ4 data that is not what its header says.
    public static let badCompression = Code(.badCompression)
    /// A length above the limit given.
    public static let tooLarge = Code(.tooLarge)
  }

  public let code: Code
  public let message: String
  /// Where in the input.
  public let offsetBytes: Int

  public init(_ code: Code, _ message: String, offsetBytes: Int) {
    self.code = code
    self.message = message
    self.offsetBytes = offsetBytes
  }
}

extension ByteError: CustomStringConvertible {
  public var description: String { "\(message) (at byte \(offsetBytes))" }
}

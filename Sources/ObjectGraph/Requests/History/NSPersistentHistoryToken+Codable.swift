/// A token as text, `UUID=number`: for command lines and files. Unlike an archive, reading one from outside can only
/// fail with an error.
extension NSPersistentHistoryToken: Codable {
  /// - Throws: `DecodingError` when the text is not a token's.
  public convenience init(from decoder: any Decoder) throws {
    let container: any SingleValueDecodingContainer = try decoder.singleValueContainer()
    let text: String = try container.decode(String.self)
    guard let numbers = Self.parse(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "expected a history token as in UUID=number, found \"\(text)\"")
    }
    self.init(numbers: numbers)
  }

  public func encode(to encoder: any Encoder) throws {
    var container: any SingleValueEncodingContainer = encoder.singleValueContainer()
    try container.encode(text)
  }
}

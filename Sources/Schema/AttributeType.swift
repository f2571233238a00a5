/// How an attribute is stored.
public enum AttributeType: UInt8, Sendable, CaseIterable {
  case integer16 = 1
  case integer32
  case integer64
  case decimal
  case double
  case float
  case string
  case boolean
  case date
  case binary
  case uuid
  case uri
  /// Bytes made by a value transformer.
  case transformable
  case objectID

  /// The name used in schema records and by the tools.
  public var name: String {
    switch self {
    case .integer16: "integer16"
    case .integer32: "integer32"
    case .integer64: "integer64"
    case .decimal: "decimal"
    case .double: "double"
    case .float: "float"
    case .string: "string"
    case .boolean: "boolean"
    case .date: "date"
    case .binary: "binary"
    case .uuid: "uuid"
    case .uri: "uri"
    case .transformable: "transformable"
    case .objectID: "objectID"
    }
  }

  public init?(name: String) {
    guard let type = AttributeType.allCases.first(where: { $0.name == name }) else { return nil }
    self = type
  }
}

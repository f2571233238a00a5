internal import Foundation
internal import Schema

/// What `CAST` can make.
enum CastType: String, CaseIterable, Sendable {
  case date = "NSDate"
  case number = "NSNumber"
  case decimal = "NSDecimalNumber"
  case string = "NSString"
  case uuid = "NSUUID"
  case url = "NSURL"
  /// From Base64.
  case data = "NSData"

  static let names = allCases.map(\.rawValue).joined(separator: ", ")

  init?(name: String) {
    guard let type = CastType(rawValue: name) ?? CastType(rawValue: "NS" + name) else { return nil }
    self = type
  }

  /// The value as the type; nothing where it makes no sense.
  func apply(_ operand: Operand) -> Operand {
    guard case .value(let value) = operand, !value.isNull else { return .null }
    switch self {
    case .date:
      if case .string(let text) = value { return dateSeconds(text).map { .value(.date($0)) } ?? .null }
      return value.asDouble.map { .value(.date($0)) } ?? .null
    case .number:
      if case .string(let text) = value { return numberValue(text).map { .value($0) } ?? .null }
      return value.asNumber.map { .value($0) } ?? .null
    case .decimal:
      if case .string(let text) = value {
        return Decimal(string: text, locale: posix).map { .value(.decimal($0)) } ?? .null
      }
      return value.asDecimal.map { .value(.decimal($0)) } ?? .null
    case .string: return .value(.string(text(of: value)))
    case .uuid:
      guard let uuid = operand.string.flatMap(UUID.init(uuidString:)) else {
        if case .uuid = value { return operand }
        return .null
      }
      return .value(.uuid(uuid))
    case .url: return operand.string.map { .value(.url($0)) } ?? .null
    case .data:
      if case .data = value { return operand }
      return operand.string.flatMap { Data(base64Encoded: $0) }.map { .value(.data($0)) } ?? .null
    }
  }

  private func text(of value: Value) -> String {
    switch value {
    case .string(let text), .url(let text): text
    case .int(let number): "\(number)"
    case .bool(let flag): flag ? "1" : "0"
    case .double(let number), .date(let number): "\(number)"
    case .float(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .uuid(let uuid): uuid.uuidString
    case .data(let data): data.base64EncodedString()
    case .object, .null: ""
    }
  }
}

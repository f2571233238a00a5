public import Foundation
public import Schema

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  public init(stringLiteral text: String) { self = .string(text) }
  public init(integerLiteral number: Int64) { self = .int(number) }
  public init(floatLiteral number: Double) { self = .double(number) }
  public init(booleanLiteral flag: Bool) { self = .bool(flag) }
  public init(nilLiteral: ()) { self = .null }
}

extension Value {
  /// A time.
  public init(_ date: Date) { self = .date(date.timeIntervalSinceReferenceDate) }
}

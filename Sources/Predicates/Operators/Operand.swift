internal import Foundation
internal import Schema

/// What an expression gives: a value, several, or an object that only memory knows.
enum Operand {
  case value(Value)
  case many([Operand])
  /// An object in memory: compared by identity or equality.
  case other(Any)

  static var null: Operand { .value(.null) }

  var isNull: Bool {
    if case .value(.null) = self { return true }
    return false
  }

  var isCollection: Bool {
    if case .many = self { return true }
    return false
  }

  var isEmptyCollection: Bool {
    if case .many(let members) = self { return members.isEmpty }
    return false
  }

  /// The members of a collection; a single value is its only member.
  var members: [Operand] {
    if case .many(let members) = self { return members }
    return [self]
  }

  /// A number, or something that is one in disguise.
  var number: Value? {
    guard case .value(let value) = self else { return nil }
    return value.asNumber
  }

  var string: String? {
    switch self {
    case .value(.string(let text)), .value(.url(let text)): text
    default: nil
    }
  }

  /// The value as Foundation would hand it out: numbers as `NSNumber`.
  var anyValue: Any? {
    switch self {
    case .value(let value): value.anyValue
    case .many(let members): members.map { $0.anyValue ?? NSNull() }
    case .other(let object): object
    }
  }
}

extension Operand {
  /// What a value of any type means to a predicate.
  init(_ any: Any?) {
    guard let any = flattened(any) else {
      self = .null
      return
    }
    if any is IndexSymbol {
      self = .other(any)
      return
    }
    if let value = Value(constant: any) {
      self = .value(value)
      return
    }
    switch any {
    case let array as NSArray: self = .many(array.map { Operand($0) })
    case let set as NSSet: self = .many(set.map { Operand($0) })
    case let set as NSOrderedSet: self = .many(set.map { Operand($0) })
    case let array as [Any]: self = .many(array.map { Operand($0) })
    case let array as [Any?]: self = .many(array.map { Operand($0) })
    case let set as any Collection where !(any is any KeyValueObject) && !isDictionary(any):
      self = .many(Self.members(of: set))
    default: self = .other(any)
    }
  }

  private static func members(of collection: any Collection) -> [Operand] {
    var result: [Operand] = []
    func append(_ collection: some Collection) { for member in collection { result.append(Operand(member)) } }
    append(collection)
    return result
  }
}

private func isDictionary(_ any: Any) -> Bool { any is [String: Any] || any is NSDictionary }

extension Value {
  /// The value of a constant of one of the types that attributes have; `nil` for any other type.
  init?(constant any: Any) {
    // Classes first: casting a number to a class would box it.
    if type(of: any) is AnyClass {
      switch any {
      case let number as NSNumber: self = Value(number)
      case let text as NSString: self = .string(text as String)
      case let date as NSDate: self = .date(date.timeIntervalSinceReferenceDate)
      case let data as NSData: self = .data(Data(referencing: data))
      case let uuid as NSUUID: self = .uuid(uuid as UUID)
      case let url as NSURL: self = .url(url.absoluteString)
      default: return nil
      }
      return
    }
    switch any {
    case let text as String: self = .string(text)
    case let flag as Bool: self = .bool(flag)
    case let number as Int: self = .int(Int64(number))
    case let number as Double: self = .double(number)
    case let date as Date: self = .date(date.timeIntervalSinceReferenceDate)
    case let uuid as UUID: self = .uuid(uuid)
    case let url as URL: self = .url(url.absoluteString)
    case let data as Data: self = .data(data)
    case let number as Decimal: self = .decimal(number)
    case let number as Float: self = .float(number)
    case let number as any BinaryInteger:
      if let small = Int64(exactly: number) {
        self = .int(small)
      } else {
        guard let decimal = Decimal(string: "\(number)", locale: posix) else { return nil }
        self = .decimal(decimal)
      }
    case let text as any StringProtocol: self = .string(String(text))
    case let character as Character: self = .string(String(character))
    case let value as Value: self = value
    case let key as ObjectKey: self = .object(key)
    case let raw as any RawRepresentable:
      guard let value = Value(constant: raw.rawValue) else { return nil }
      self = value
    default: return nil
    }
  }

  init(_ number: NSNumber) {
    if let decimal = number as? NSDecimalNumber {
      self = .decimal(decimal.decimalValue)
      return
    }
    switch UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "c") where number.int64Value == 0 || number.int64Value == 1, UInt8(ascii: "B"):
      self = .bool(number.boolValue)
    case UInt8(ascii: "f"): self = .float(number.floatValue)
    case UInt8(ascii: "d"): self = .double(number.doubleValue)
    case UInt8(ascii: "Q"), UInt8(ascii: "L"):
      let value = number.uint64Value
      self = Int64(exactly: value).map { .int($0) } ?? .decimal(Decimal(value))
    default: self = .int(number.int64Value)
    }
  }

  /// The value as Foundation would hand it out: numbers as `NSNumber`.
  var anyValue: Any? {
    switch self {
    case .null: nil
    case .bool(let flag): NSNumber(value: flag)
    case .int(let number): NSNumber(value: number)
    case .float(let number): NSNumber(value: number)
    case .double(let number): NSNumber(value: number)
    case .decimal(let number): NSDecimalNumber(decimal: number)
    case .string(let text): text
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .data(let data): data
    case .uuid(let uuid): uuid
    case .url(let text): URL(string: text) ?? text as Any
    case .object(let key): key
    }
  }
}

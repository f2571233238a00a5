internal import Foundation
internal import Model
internal import Predicates
internal import Schema

/// Makes dictionaries of the results that stores compute. Nothing is under the key of an absent value.
struct DictionaryValues {
  let columns: [DictionaryColumn]
  let origins: [BoundTable.Origin?]
  let model: ModelInfo
  /// Where objects are from, by the number that results have.
  let places: [StorePlaceInContext]

  func dictionary(_ row: TableRow) -> NSDictionary {
    let dictionary = NSMutableDictionary(capacity: columns.count)
    for (index, column) in columns.enumerated() {
      guard let value = value(row.values[index], index, places[row.source]) else { continue }
      dictionary[column.name] = value
    }
    return dictionary
  }

  private func value(_ value: BoundValue, _ column: Int, _ place: StorePlaceInContext) -> Any? {
    switch value {
    case .one(.null): return nil
    case .one(let value): return scalar(value, column, place)
    case .many(let values): return values.compactMap { scalar($0, column, place) }
    }
  }

  private func scalar(_ value: Value, _ column: Int, _ place: StorePlaceInContext) -> Any? {
    if case .object(let key) = value {
      return place.info(of: key).map { NSManagedObjectID(key: key, info: $0, store: place.store) }
    }
    if let converted = converted(value, columns[column].resultType) { return converted }
    if let origin = origins[column], let info = model.entities[checked: origin.entity],
      let attribute = info.entity.properties[origin.property].attribute
    {
      if attribute.type == .transformable, case .data(let data) = value {
        return Transformation.restored(data, info, origin.property)
      }
      return NSManagedObject.boxedScalar(value, attribute)
    }
    return Self.natural(value)
  }

  private static func natural(_ value: Value) -> Any? {
    switch value {
    case .null, .object: nil
    case .bool(let flag): NSNumber(value: flag)
    case .int(let number): NSNumber(value: number)
    case .float(let number): NSNumber(value: number)
    case .double(let number): NSNumber(value: number)
    case .decimal(let number): NSDecimalNumber(decimal: number)
    case .string(let text): text
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .data(let data): data
    case .uuid(let uuid): uuid
    case .url(let text): URL(string: text)
    }
  }

  /// The value as the type that an expression declares; `nil` when it declares none, or the value has nothing of it.
  private func converted(_ value: Value, _ type: NSAttributeType) -> Any? {
    switch type {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
      if case .int(let number) = value { return NSNumber(value: number) }
      return value.numberAsDouble.flatMap { Int64(exactly: $0.rounded(.towardZero)) }.map { NSNumber(value: $0) }
    case .doubleAttributeType: return value.numberAsDouble.map { NSNumber(value: $0) }
    case .floatAttributeType: return value.numberAsDouble.map { NSNumber(value: Float($0)) }
    case .decimalAttributeType: return value.numberAsDecimal.map { NSDecimalNumber(decimal: $0) }
    case .booleanAttributeType: return value.numberAsDouble.map { NSNumber(value: $0 != 0) }
    case .dateAttributeType: return value.numberAsDouble.map { Date(timeIntervalSinceReferenceDate: $0) }
    case .stringAttributeType: return Self.natural(value).map { "\($0)" }
    default: return nil
    }
  }
}

extension Array {
  fileprivate subscript(checked index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

extension Value {
  fileprivate var numberAsDouble: Double? {
    switch self {
    case .int(let number): Double(number)
    case .bool(let flag): flag ? 1 : 0
    case .double(let number), .date(let number): number
    case .float(let number): Double(number)
    case .decimal(let number): NSDecimalNumber(decimal: number).doubleValue
    default: nil
    }
  }

  fileprivate var numberAsDecimal: Decimal? {
    switch self {
    case .int(let number): Decimal(number)
    case .bool(let flag): flag ? 1 : 0
    case .decimal(let number): number
    case .double(let number): number.isFinite ? Decimal(string: number.description) : nil
    case .float(let number): number.isFinite ? Decimal(string: number.description) : nil
    default: nil
    }
  }
}

internal import Foundation
internal import Schema

/// Makes values fit their columns, or says why they don't.
enum ColumnValue {
  /// The value as the column keeps it: whole numbers widen to what the column holds; nothing else is converted.
  static func fit(_ value: Value, _ type: AttributeType, table: String, column: String) throws(RowStoreError) -> Value {
    switch (type, value) {
    case (_, .null), (.string, .string), (.boolean, .bool), (.double, .double), (.float, .float), (.date, .date),
      (.decimal, .decimal), (.binary, .data), (.uuid, .uuid), (.integer64, .int):
      return value
    case (.integer16, .int(let number)) where Int16(exactly: number) != nil: return value
    case (.integer32, .int(let number)) where Int32(exactly: number) != nil: return value
    case (.double, .int(let number)): if let exact = Double(exactly: number) { return .double(exact) }
    case (.double, .float(let number)): return .double(Double(number))
    case (.float, .int(let number)): if let exact = Float(exactly: number) { return .float(exact) }
    case (.float, .double(let number)):
      if Double(Float(number)) == number || number.isNaN { return .float(Float(number)) }
    case (.decimal, .int(let number)): return .decimal(Decimal(number))
    case (.uri, .url(let text)), (.uri, .string(let text)): if URL(string: text) != nil { return .url(text) }
    default: break
    }
    throw RowStoreError(
      .wrongType, "\(table).\(column) holds values of type \(type.name); \(value) is none, or is out of its range.",
      table: table, column: column)
  }
}

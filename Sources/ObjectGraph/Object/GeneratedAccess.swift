public import Foundation
internal import Schema

// What generated accessors call: each passes the index of a property in the layout that its class was generated from.
// A realised object without changes is read straight from its row; all else goes the longer way.
extension NSManagedObject {
  /// Where the value is, if it may be read from the row as it is.
  // unsafe: valid while this object keeps the row, which it does for the length of a read.
  @inline(__always)
  final func direct(_ property: Int, _ kind: SlotKind) -> UnsafeRawPointer? {
    guard flags.contains(.direct), let base = rowBase else { return nil }
    precondition(property >= 0 && property < info.entity.properties.count, "property index out of range")
    let slot: RowSlot = info.slots[property]
    return slot.kind == kind ? base + slot.offset : nil
  }

  @inline(never)
  private final func slow(_ index: Int) -> Value {
    realise()
    return currentValue(mapped(index))
  }

  /// A boolean attribute; false where it is absent.
  public final func _bool(_ property: Int) -> Bool {
    if let at = direct(property, .bool) { return at.load(as: UInt8.self) != 0 }
    switch slow(property) {
    case .bool(let flag): return flag
    case .int(let number): return number != 0
    default: return false
    }
  }

  /// Sets a boolean attribute.
  public final func _setBool(_ value: Bool, _ property: Int) { setScalar(.bool(value), property) }

  /// A 16-bit attribute; 0 where it is absent.
  public final func _int16(_ property: Int) -> Int16 {
    if let at = direct(property, .int16) { return Int16(littleEndian: at.load(as: Int16.self)) }
    return Int16(clamping: integer(property))
  }

  /// Sets a 16-bit attribute.
  public final func _setInt16(_ value: Int16, _ property: Int) { setScalar(.int(Int64(value)), property) }

  /// A 32-bit attribute; 0 where it is absent.
  public final func _int32(_ property: Int) -> Int32 {
    if let at = direct(property, .int32) { return Int32(littleEndian: at.load(as: Int32.self)) }
    return Int32(clamping: integer(property))
  }

  /// Sets a 32-bit attribute.
  public final func _setInt32(_ value: Int32, _ property: Int) { setScalar(.int(Int64(value)), property) }

  /// A 64-bit attribute; 0 where it is absent.
  public final func _int64(_ property: Int) -> Int64 {
    if let at = direct(property, .int64) { return Int64(littleEndian: at.load(as: Int64.self)) }
    return integer(property)
  }

  /// Sets a 64-bit attribute.
  public final func _setInt64(_ value: Int64, _ property: Int) { setScalar(.int(value), property) }

  /// A float attribute; 0 where it is absent.
  public final func _float(_ property: Int) -> Float {
    if let at = direct(property, .float) { return Float(bitPattern: UInt32(littleEndian: at.load(as: UInt32.self))) }
    return Float(floating(property))
  }

  /// Sets a float attribute.
  public final func _setFloat(_ value: Float, _ property: Int) { setScalar(.float(value), property) }

  /// A double attribute; 0 where it is absent.
  public final func _double(_ property: Int) -> Double {
    if let at = direct(property, .double) { return Double(bitPattern: UInt64(littleEndian: at.load(as: UInt64.self))) }
    return floating(property)
  }

  /// Sets a double attribute.
  public final func _setDouble(_ value: Double, _ property: Int) { setScalar(.double(value), property) }

  /// A string attribute.
  public final func _string(_ property: Int) -> String? {
    if direct(property, .string) != nil, let row {
      let slot: RowSlot = info.slots[property]
      return row.isNull(slot) ? nil : row.string(slot)
    }
    if case .string(let text) = slow(property) { return text }
    return nil
  }

  /// Sets a string attribute.
  public final func _setString(_ value: String?, _ property: Int) {
    setAttribute(mapped(property), value.map { .string($0) } ?? .null)
  }

  /// A date attribute.
  public final func _date(_ property: Int) -> Date? {
    if direct(property, .date) != nil, let row {
      let slot: RowSlot = info.slots[property]
      return row.isNull(slot) ? nil : Date(timeIntervalSinceReferenceDate: row.double(slot))
    }
    if case .date(let seconds) = slow(property) { return Date(timeIntervalSinceReferenceDate: seconds) }
    return nil
  }

  /// Sets a date attribute.
  public final func _setDate(_ value: Date?, _ property: Int) {
    setAttribute(mapped(property), value.map { .date($0.timeIntervalSinceReferenceDate) } ?? .null)
  }

  /// A binary attribute.
  public final func _data(_ property: Int) -> Data? {
    if case .data(let data) = slow(property) { return data }
    return nil
  }

  /// Sets a binary attribute.
  public final func _setData(_ value: Data?, _ property: Int) {
    setAttribute(mapped(property), value.map { .data($0) } ?? .null)
  }

  /// A UUID attribute.
  public final func _uuid(_ property: Int) -> UUID? {
    if case .uuid(let uuid) = slow(property) { return uuid }
    return nil
  }

  /// Sets a UUID attribute.
  public final func _setUuid(_ value: UUID?, _ property: Int) {
    setAttribute(mapped(property), value.map { .uuid($0) } ?? .null)
  }

  /// A URL attribute.
  public final func _url(_ property: Int) -> URL? {
    if case .url(let text) = slow(property) { return URL(string: text) }
    return nil
  }

  /// Sets a URL attribute.
  public final func _setUrl(_ value: URL?, _ property: Int) {
    setAttribute(mapped(property), value.map { .url($0.absoluteString) } ?? .null)
  }

  /// A decimal attribute.
  public final func _decimal(_ property: Int) -> NSDecimalNumber? {
    if case .decimal(let number) = slow(property) { return NSDecimalNumber(decimal: number) }
    return nil
  }

  /// Sets a decimal attribute.
  public final func _setDecimal(_ value: NSDecimalNumber?, _ property: Int) { _setAny(value, property) }

  /// A number or boolean attribute as an object.
  public final func _number(_ property: Int) -> NSNumber? { _any(property) as? NSNumber }

  /// Sets a number or boolean attribute.
  public final func _setNumber(_ value: NSNumber?, _ property: Int) { _setAny(value, property) }

  /// A property of any kind, as key-value access gives it.
  public final func _any(_ property: Int) -> Any? { readProperty(mapped(property)) }

  /// Sets a property of any kind, converted to its type.
  public final func _setAny(_ value: Any?, _ property: Int) { writeProperty(mapped(property), value) }

  private final func setScalar(_ value: Value, _ index: Int) {
    let property: Int = mapped(index)
    if let attribute = info.entity.properties[property].attribute, Self.holds(attribute.type, value) {
      setAttribute(property, value)
    } else {
      _setAny(boxedScalar(value), index)
    }
  }

  private final func boxedScalar(_ value: Value) -> Any? {
    switch value {
    case .bool(let flag): NSNumber(value: flag)
    case .int(let number): NSNumber(value: number)
    case .float(let number): NSNumber(value: number)
    case .double(let number): NSNumber(value: number)
    default: nil
    }
  }

  /// Whether an attribute's slot takes a scalar as it is.
  private static func holds(_ type: AttributeType, _ value: Value) -> Bool {
    switch (type, value) {
    case (.boolean, .bool), (.float, .float), (.double, .double): true
    case (.integer16, .int), (.integer32, .int), (.integer64, .int): true
    default: false
    }
  }

  private final func integer(_ index: Int) -> Int64 {
    switch slow(index) {
    case .int(let number): number
    case .bool(let flag): flag ? 1 : 0
    case .double(let number): Int64(exactly: number.rounded(.towardZero)) ?? 0
    case .float(let number): Int64(exactly: number.rounded(.towardZero)) ?? 0
    case .decimal(let number): NSDecimalNumber(decimal: number).int64Value
    default: 0
    }
  }

  private final func floating(_ index: Int) -> Double {
    switch slow(index) {
    case .double(let number): number
    case .float(let number): Double(number)
    case .int(let number): Double(number)
    case .date(let seconds): seconds
    case .decimal(let number): NSDecimalNumber(decimal: number).doubleValue
    default: 0
    }
  }
}

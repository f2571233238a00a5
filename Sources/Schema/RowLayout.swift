/// Where each stored property of an entity lies in a row.
///
/// A row is, in little-endian bytes, padded to a multiple of 8:
///
///     0   u32   length of the whole row in bytes
///     4   u32   slot count (low 16 bits) and flags, zero so far (high 16)
///     8   u64   object key
///     16  u64   version: number of the commit that last wrote it
///     24        null bitmap, one bit a slot, set where the value is absent; padded to 8
///               fixed region: widest slots first; UUID 16, 8-, 4-, 2- and 1-byte values
///               end offsets, u32 each, of the variable slots, counted from the start of the variable region
///               variable region: UTF-8 and bytes, in slot order
///
/// Absent values are zero in the fixed region and empty in the variable one, so a row's bytes depend only on its values.
public struct RowLayout: Sendable {
  public static let headerBytes = 24
  public static let rowBytesMax = Int(UInt32.max) - 7

  /// One slot for each property, `nil` where the property has none.
  public let slots: [RowSlot?]
  /// Properties that have a slot, by slot number.
  public let storedProperties: [Int]
  /// Start of the end offsets.
  public let endOffsetsOffset: Int
  /// Start of the variable region.
  public let variableOffset: Int
  public let variableCount: Int

  public init(properties: [PropertySchema]) {
    let stored = properties.indices.filter { properties[$0].isStoredInRow }
    precondition(stored.count <= Int(UInt16.max), "too many properties")
    let kinds = stored.map { SlotKind(of: properties[$0]) }
    var offset = Self.headerBytes + (stored.count + 63) / 64 * 8
    var offsets = [Int](repeating: 0, count: stored.count)
    for width in [16, 8, 4, 2, 1] {
      for (slot, kind) in kinds.enumerated() where kind.fixedBytes == width {
        offsets[slot] = offset
        offset += width
      }
    }
    offset = (offset + 3) / 4 * 4
    endOffsetsOffset = offset
    var variables = 0
    for (slot, kind) in kinds.enumerated() where kind.isVariable {
      offsets[slot] = offset + variables * 4
      variables += 1
    }
    variableCount = variables
    variableOffset = offset + variables * 4
    var slots = [RowSlot?](repeating: nil, count: properties.count)
    var variableIndex = 0
    for (slot, property) in stored.enumerated() {
      let kind = kinds[slot]
      slots[property] = RowSlot(
        kind: kind, number: slot, offset: offsets[slot], isFirstVariable: kind.isVariable && variableIndex == 0,
        variableOffset: variableOffset)
      if kind.isVariable { variableIndex += 1 }
    }
    self.slots = slots
    storedProperties = stored
  }
}

/// How a slot's bytes are read.
public enum SlotKind: UInt8, Sendable {
  case bool = 1
  case int16
  case int32
  case int64
  case float
  case double
  case date
  case uuid
  case reference
  case string
  case url
  case data
  case decimal

  init(of property: PropertySchema) {
    switch property.kind {
    case .relationship, .fetched: self = .reference
    case .attribute(let attribute):
      switch attribute.type {
      case .integer16: self = .int16
      case .integer32: self = .int32
      case .integer64: self = .int64
      case .decimal: self = .decimal
      case .double: self = .double
      case .float: self = .float
      case .string: self = .string
      case .boolean: self = .bool
      case .date: self = .date
      case .binary, .transformable: self = .data
      case .uuid: self = .uuid
      case .uri: self = .url
      case .objectID: self = .reference
      }
    }
  }

  public var isVariable: Bool { fixedBytes == 0 }

  /// 0 for variable kinds.
  public var fixedBytes: Int {
    switch self {
    case .uuid: 16
    case .int64, .double, .date, .reference: 8
    case .int32, .float: 4
    case .int16: 2
    case .bool: 1
    case .string, .url, .data, .decimal: 0
    }
  }
}

/// One property's place in a row.
public struct RowSlot: Sendable {
  public let kind: SlotKind
  public let isFirstVariable: Bool
  /// Its bit in the null bitmap.
  public let number: Int
  /// From the start of the row: of the value, or of the end offset of a variable slot.
  public let offset: Int
  /// From the start of the row: of the variable region.
  public let variableOffset: Int

  init(kind: SlotKind, number: Int, offset: Int, isFirstVariable: Bool, variableOffset: Int) {
    self.kind = kind
    self.number = number
    self.offset = offset
    self.isFirstVariable = isFirstVariable
    self.variableOffset = variableOffset
  }
}

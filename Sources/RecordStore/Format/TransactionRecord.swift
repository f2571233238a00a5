import Bytes
import Schema
import StoreContract

/// Kinds of records in the log of a store.
enum RecordKind {
  static let schema: UInt8 = 1
  static let transaction: UInt8 = 2
}

/// The meta part of a transaction record: who, when, and the list of changes with the places of their rows. Byte by
/// byte in Formats/record-format.md.
enum TransactionRecord {
  static let version: UInt8 = 1
  static let blockBytesMax = 32 << 10

  enum Flag {
    static let author: UInt8 = 1
    static let contextName: UInt8 = 2
  }

  /// What a change does, in the lowest two bits of its head.
  enum Operation: UInt8 {
    /// The row again, because a value derived from other objects changed; not a change of its own to history.
    case derive = 0
    case insert
    case update
    case delete

    init(_ operation: ChangeOperation) {
      switch operation {
      case .insert: self = .insert
      case .update: self = .update
      case .delete: self = .delete
      }
    }

    var change: ChangeOperation? {
      switch self {
      case .derive: nil
      case .insert: .insert
      case .update: .update
      case .delete: .delete
      }
    }
  }

  enum Head {
    static let operationMask: UInt64 = 3
    static let hasRow: UInt64 = 4
    static let startsBlock: UInt64 = 8
    static let hasLinks: UInt64 = 16
    static let all: UInt64 = 31
  }

  struct Header {
    var number: UInt64 = 0
    var timestamp: Double = 0
    var author: String?
    var contextName: String?
    var processID: Int32 = 0
    var metadata: [(name: String, value: String?)] = []
  }

  /// One change as it is read from a record, or about to be written to one.
  struct Change {
    var key: ObjectKey
    var operation: Operation
    var changedProperties = PropertySet()
    /// The block of the record, and the offset in it, where the row is.
    var row: (block: Int, offsetBytes: Int)?
    var links: [LinkChange] = []
  }

  /// Writes the header; sections follow, as many as are announced.
  static func write(_ header: Header, sectionCount: Int, to writer: inout ByteWriter) {
    var flags: UInt8 = 0
    if header.author != nil { flags |= Flag.author }
    if header.contextName != nil { flags |= Flag.contextName }
    writer.uint8(version)
    writer.uint8(flags)
    writer.uint16(0)
    writer.uint32(UInt32(bitPattern: header.processID))
    writer.double(header.timestamp)
    if let author = header.author { writer.string(author) }
    if let name = header.contextName { writer.string(name) }
    writer.varint(UInt64(header.metadata.count))
    for (name, value) in header.metadata {
      writer.string(name)
      writer.uint8(value == nil ? 0 : 1)
      if let value { writer.string(value) }
    }
    writer.varint(UInt64(sectionCount))
  }

  static func writeSection(
    entityNumber: Int, blockCount: Int, changes: ArraySlice<Change>, ordered: [Bool], to writer: inout ByteWriter
  ) {
    writer.varint(UInt64(entityNumber))
    writer.varint(UInt64(blockCount))
    writer.varint(UInt64(changes.count))
    var ordinal: UInt64 = 0
    var previous = (block: -1, offsetBytes: 0)
    for change in changes {
      var head = UInt64(change.operation.rawValue)
      if !change.links.isEmpty { head |= Head.hasLinks }
      if let row = change.row {
        head |= Head.hasRow
        if row.block != previous.block { head |= Head.startsBlock }
      }
      writer.varint(head)
      writer.signedVarint(Int64(bitPattern: change.key.ordinal &- ordinal))
      ordinal = change.key.ordinal
      if change.operation == .update { write(change.changedProperties, to: &writer) }
      if let row = change.row {
        if row.block == previous.block { writer.varint(UInt64((row.offsetBytes - previous.offsetBytes) >> 3)) }
        previous = row
      }
      if !change.links.isEmpty { write(change.links, ordered: ordered, to: &writer) }
    }
  }

  private static func write(_ properties: PropertySet, to writer: inout ByteWriter) {
    var bytes: [UInt8] = []
    for word in properties.words {
      for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
    }
    while bytes.last == 0 { bytes.removeLast() }
    writer.counted(bytes)
  }

  private static func write(_ links: [LinkChange], ordered: [Bool], to writer: inout ByteWriter) {
    writer.varint(UInt64(links.count))
    for link in links {
      let isOrdered = ordered[link.relationship]
      writer.varint(UInt64(link.relationship) << 1 | (isOrdered ? 1 : 0))
      writer.varint(UInt64(link.added.count))
      var ordinal: UInt64 = 0
      for member in link.added {
        write(member.key, after: &ordinal, to: &writer)
        if isOrdered { writer.double(member.position) }
      }
      writer.varint(UInt64(link.removed.count))
      ordinal = 0
      for key in link.removed { write(key, after: &ordinal, to: &writer) }
    }
  }

  private static func write(_ key: ObjectKey, after ordinal: inout UInt64, to writer: inout ByteWriter) {
    writer.varint(UInt64(key.entityNumber))
    writer.signedVarint(Int64(bitPattern: key.ordinal &- ordinal))
    ordinal = key.ordinal
  }
}

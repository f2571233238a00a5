import Bytes

extension StorePlan {
  /// Stands for the indexes that the plan calls for, their order, and how values become numbers in them. Trees that
  /// were written under another one are of no use.
  var fingerprint: UInt64 {
    var writer = ByteWriter()
    writer.varint(UInt64(IndexCode.version))
    for number in entityNumbers { writer.varint(UInt64(number)) }
    for columns in [columns, linkTables] {
      writer.uint8(0xff)
      for column in columns {
        writer.varint(UInt64(column.entity))
        writer.varint(UInt64(column.property))
      }
    }
    writer.uint8(0xfe)
    for unique in uniques {
      writer.varint(UInt64(unique.entity))
      writer.varint(UInt64(unique.properties.count))
      for property in unique.properties { writer.varint(UInt64(property)) }
    }
    writer.uint8(0xfd)
    for fetch in fetches {
      writer.varint(UInt64(fetch.entity))
      writer.varint(UInt64(fetch.property))
    }
    return Checksum.xxh3_64(writer.bytes)
  }
}

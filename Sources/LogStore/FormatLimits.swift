/// Every size and limit of the format, checked when writing and again when reading: Formats/log-format.md explains them.
enum FormatLimits {
  /// A newer major version must not be touched; a newer minor one only adds what may be ignored.
  static let majorVersion: UInt16 = 1
  static let minorVersion: UInt16 = 0

  static let segmentHeaderBytes = 128
  static let recordHeaderBytes = 64
  static let recordTrailerBytes = 16
  static let blockHeaderBytes = 32
  /// Records and blocks start at multiples of it, so that rows in mapped blocks are aligned.
  static let alignmentBytes = 16

  /// Kinds from here on are the log's own.
  static let ownKindMin: UInt8 = 0x80
  static let metaBytesMax = 16 << 20
  static let blockCountMax = 1 << 20
  static let blockRawBytesMax = 1 << 30
  static let recordBodyBytesMax: UInt64 = 4 << 30
  /// 24 bits of a block's address.
  static let sequenceMax: UInt64 = (1 << 24) - 1
  /// 40 bits of a block's address, times 8.
  static let segmentBytesMax: UInt64 = 1 << 43

  /// Smaller blocks are not packed: a call costs more than it saves.
  static let packRawBytesMin = 4096
  /// LZ4 can't make more of a byte than this.
  static let packRatioMax = 256
  static let preallocateStepBytesMax: UInt64 = 16 << 20

  static func aligned(_ count: Int) -> Int { (count + alignmentBytes - 1) & ~(alignmentBytes - 1) }
}

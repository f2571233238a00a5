import CLZ4

/// Unpacks LZ4's frame format (files named `.lz4`) piece by piece, in bounded memory.
///
/// Give it packed bytes as they come; it hands on unpacked ones. Several frames behind one another are one stream.
/// Use it from one thread at a time.
public final class LZ4FrameReader {
  private var context: OpaquePointer?
  private var output: UnsafeMutableRawBufferPointer
  private var consumedBytes = 0
  private var isInsideFrame = false

  /// - Parameter outputBytes: The size of the pieces handed on, at most.
  public init(outputBytes: Int = 256 << 10) throws(ByteError) {
    output = UnsafeMutableRawBufferPointer.allocate(byteCount: max(outputBytes, 1024), alignment: 16)
    let result = LZ4F_createDecompressionContext(&context, UInt32(LZ4F_VERSION))
    if LZ4F_isError(result) != 0 || context == nil {
      throw ByteError(.badCompression, "LZ4 can't start: \(Self.name(of: result))", offsetBytes: 0)
    }
  }

  deinit {
    LZ4F_freeDecompressionContext(context)
    output.deallocate()
  }

  /// Whether the bytes so far end with a whole frame. If not at the end of the input, the input was cut short.
  public var isComplete: Bool { !isInsideFrame }

  /// Unpacks `packed`, the next piece of the input, and hands each unpacked piece to `body`, which must copy what it
  /// keeps.
  /// - Throws: `ByteError` where the input is no LZ4 frame or its checksum differs; what `body` throws.
  public func read(_ packed: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    var position = 0
    while true {
      var produced = output.count
      var consumed = packed.count - position
      let source = packed.baseAddress.map { $0 + position }
      let hint = LZ4F_decompress(context, output.baseAddress, &produced, source, &consumed, nil)
      if LZ4F_isError(hint) != 0 {
        let place = consumedBytes + position
        LZ4F_resetDecompressionContext(context)
        throw ByteError(.badCompression, "Not an LZ4 frame: \(Self.name(of: hint))", offsetBytes: place)
      }
      position += consumed
      isInsideFrame = hint != 0
      if produced > 0 { try body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(output)[..<produced])) }
      // A full output buffer in the middle of a frame means that there may be more to come without more input.
      if position == packed.count, produced < output.count || hint == 0 { break }
      if produced == 0, consumed == 0 { break }
    }
    consumedBytes += position
  }

  /// Unpacks a whole file's bytes.
  /// - Parameter rawBytesMax: Beyond it, the input is refused: a small file can unpack to a huge one.
  public static func unpack(_ packed: [UInt8], rawBytesMax: Int) throws(ByteError) -> [UInt8] {
    let reader = try LZ4FrameReader()
    var raw: [UInt8] = []
    do {
      try packed.withUnsafeBytes { bytes in
        try reader.read(bytes) { piece in
          guard piece.count <= rawBytesMax - raw.count else {
            throw ByteError(.tooLarge, "Unpacks to more than \(rawBytesMax) bytes", offsetBytes: 0)
          }
          raw.append(contentsOf: piece)
        }
      }
    } catch let error as ByteError {
      throw error
    } catch {
      throw ByteError(.badCompression, "\(error)", offsetBytes: 0)
    }
    guard reader.isComplete else {
      throw ByteError(.tooShort, "The LZ4 frame is cut short", offsetBytes: packed.count)
    }
    return raw
  }

  private static func name(of result: Int) -> String { String(cString: LZ4F_getErrorName(result)) }
}

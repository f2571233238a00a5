#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Standard output and error, as the tool uses them: buffered, coloured only for a person, silent when the reader
/// has gone.
final class Output {
  /// Nobody reads any more (`annals log STORE | head`): a success, as for any tool that lists.
  struct ReaderGone: Error {}

  let isJSON: Bool
  let usesColour: Bool
  private var buffer: [UInt8] = []
  private static let bufferBytes = 1 << 16

  init(isJSON: Bool) {
    self.isJSON = isJSON
    usesColour = !isJSON && Self.terminalTakesColour
    buffer.reserveCapacity(Self.bufferBytes + 4096)
  }

  private static var terminalTakesColour: Bool {
    guard isatty(STDOUT_FILENO) == 1 else { return false }
    if let setting = getenv("NO_COLOR"), setting.pointee != 0 { return false }
    if let terminal = getenv("TERM"), String(cString: terminal) == "dumb" { return false }
    return true
  }

  func line(_ text: String = "") throws {
    buffer.append(contentsOf: text.utf8)
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count >= Self.bufferBytes { try flush() }
  }

  func line(_ object: JSONObject) throws { try line(object.text) }

  func flush() throws {
    let bytes = buffer
    buffer.removeAll(keepingCapacity: true)
    try bytes.withUnsafeBytes { try Self.write($0, to: STDOUT_FILENO) }
  }

  /// A remark beside the output: to standard error, after what was printed so far.
  func note(_ text: String) throws {
    try flush()
    Self.writeError("annals: \(text)\n")
  }

  static func writeError(_ text: String) {
    var text = text
    // Nothing can be told to anybody when standard error fails too.
    text.withUTF8 { try? write(UnsafeRawBufferPointer($0), to: STDERR_FILENO) }
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let slice = UnsafeRawBufferPointer(rebasing: rest)
      #if canImport(Glibc)
        let written = Glibc.write(descriptor, slice.baseAddress, slice.count)
      #else
        let written = Musl.write(descriptor, slice.baseAddress, slice.count)
      #endif
      if written >= 0 {
        rest = rest.dropFirst(written)
      } else if errno == EPIPE {
        throw ReaderGone()
      } else if errno != EINTR {
        throw ToolFailure(.cannotOpen, "the output cannot be written: \(String(cString: strerror(errno)))")
      }
    }
  }
}

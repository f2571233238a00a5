/// The lines on which the elements of a file begin. The parser itself only tells where a start tag ends.
enum StartTagLines {
  /// - Returns: a line for each start tag, in order, counted from 1.
  static func scan(_ text: String) -> [Int] {
    var lines: [Int] = []
    var bytes: ArraySlice<UInt8> = Array(text.utf8)[...]
    var line = 1
    while let first = bytes.popFirst() {
      if first == UInt8(ascii: "\n") { line += 1 }
      guard first == UInt8(ascii: "<"), let next = bytes.first else { continue }
      switch next {
      case UInt8(ascii: "!"), UInt8(ascii: "?"):
        let end: StaticString =
          bytes.starts(with: "!--".utf8) ? "-->" : bytes.starts(with: "![CDATA[".utf8) ? "]]>" : ">"
        skip(past: end, &bytes, &line)
      case UInt8(ascii: "/"): break
      default: lines.append(line)
      }
    }
    return lines
  }

  private static func skip(past end: StaticString, _ bytes: inout ArraySlice<UInt8>, _ line: inout Int) {
    let mark: [UInt8] = end.withUTF8Buffer { Array($0) }
    while let first = bytes.first {
      if bytes.starts(with: mark) {
        bytes = bytes.dropFirst(mark.count)
        return
      }
      if first == UInt8(ascii: "\n") { line += 1 }
      bytes = bytes.dropFirst()
    }
  }
}

/// The lines on which the elements of a file begin. The parser itself only tells where a start tag ends.
struct StartTagLines {
  /// A line for each start tag, in order, counted from 1.
  private(set) var lines: [Int] = []
  /// The line of an element with too many attributes: the parser compares each with all others.
  private(set) var overloadedLine: Int?

  init(_ text: String) {
    var bytes: ArraySlice<UInt8> = Array(text.utf8)[...]
    var line = 1
    var quotes = 0
    while let first = bytes.popFirst() {
      if first == UInt8(ascii: "\n") { line += 1 }
      if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
        quotes += 1
        if quotes > ModelLimits.quotesMax && overloadedLine == nil { overloadedLine = lines.last ?? line }
      }
      guard first == UInt8(ascii: "<"), let next = bytes.first else { continue }
      quotes = 0
      switch next {
      case UInt8(ascii: "!"), UInt8(ascii: "?"):
        let isComment: Bool = bytes.starts(with: "!--".utf8)
        let end: StaticString = isComment ? "-->" : bytes.starts(with: "![CDATA[".utf8) ? "]]>" : ">"
        Self.skip(past: end, &bytes, &line)
      case UInt8(ascii: "/"): break
      default: lines.append(line)
      }
    }
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

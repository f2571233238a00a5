internal import Foundation
internal import ModelCompiler

/// A Swift file to be ported: its bytes as they were read, and its tokens.
struct PortingFile {
  let path: String
  let bytes: [UInt8]
  let tokens: [SwiftToken]
  /// By token: whether it is compiled on Linux, as far as conditions tell.
  let isCompiled: [Bool]
  let declarations: [Declaration]

  init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
    tokens = SwiftLexer.tokens(of: bytes, takesInterpolations: true)
    isCompiled = ConditionalCompilation.compiledTokens(of: tokens)
    declarations = DeclarationReader.declarations(in: tokens)
  }

  // MARK: tokens

  func token(_ index: Int) -> SwiftToken? { tokens.indices.contains(index) ? tokens[index] : nil }
  func isWord(_ word: String, at index: Int) -> Bool { token(index)?.isWord(word) == true }
  func isMark(_ mark: Character, at index: Int) -> Bool { token(index)?.isPunctuation(mark) == true }

  /// The `#name(` at a token, as in `#keyPath(`: the index of its parenthesis.
  func macroParenthesis(_ name: String, at index: Int) -> Int? {
    guard isMark("#", at: index), isWord(name, at: index + 1), isMark("(", at: index + 2),
      tokens[index].range.upperBound == tokens[index + 1].range.lowerBound
    else { return nil }
    return index + 2
  }

  /// The bracket that closes the one at a token.
  func closing(_ index: Int) -> Int? { TokenSearch.closing(index, in: tokens) }

  /// The bracket that opens the one at a token, looking backwards.
  func opening(_ index: Int) -> Int? {
    var depth = 0
    for place in stride(from: index, through: 0, by: -1) where tokens[place].kind == .punctuation {
      switch tokens[place].text {
      case ")", "]", "}": depth += 1
      case "(", "[", "{":
        depth -= 1
        if depth == 0 { return place }
      default: break
      }
    }
    return nil
  }

  /// The `>` that closes the `<` at a token, when nothing but a list of types is between them.
  func closingAngle(_ index: Int) -> Int? { TokenSearch.closingAngle(index, in: tokens) }

  /// The source of some tokens, with what is between them.
  func text(_ range: ClosedRange<Int>) -> String {
    String(
      decoding: bytes[tokens[range.lowerBound].range.lowerBound..<tokens[range.upperBound].range.upperBound],
      as: UTF8.self)
  }

  func byteRange(_ range: ClosedRange<Int>) -> Range<Int> {
    tokens[range.lowerBound].range.lowerBound..<tokens[range.upperBound].range.upperBound
  }

  /// Whether a comment stands between tokens of a range.
  func hasComment(_ range: ClosedRange<Int>) -> Bool {
    zip(range, range.dropFirst()).contains { left, right in
      bytes[tokens[left].range.upperBound..<tokens[right].range.lowerBound].contains { !Self.isSpace($0) }
    }
  }

  // MARK: lines

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || isLineEnd(byte)
  }

  static func isLineEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

  /// Where the line of an offset begins.
  func lineStart(_ offset: Int) -> Int {
    var start = offset
    while start > 0, !Self.isLineEnd(bytes[start - 1]) { start -= 1 }
    // A byte order mark belongs to no line.
    return start == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : start
  }

  /// Where the next line begins after an offset, if nothing but spaces is before its line's end.
  func nextLine(_ offset: Int) -> Int? {
    var end = skipBlanks(offset)
    guard end < bytes.count else { return end }
    guard Self.isLineEnd(bytes[end]) else { return nil }
    if bytes[end] == UInt8(ascii: "\r"), end + 1 < bytes.count, bytes[end + 1] == UInt8(ascii: "\n") { end += 1 }
    return end + 1
  }

  /// The first offset from here that is neither a space nor a tab.
  func skipBlanks(_ offset: Int) -> Int {
    var end = offset
    while end < bytes.count, bytes[end] == UInt8(ascii: " ") || bytes[end] == UInt8(ascii: "\t") { end += 1 }
    return end
  }

  /// The spaces before an offset, if its line has nothing else before it.
  func indentation(_ offset: Int) -> String? {
    let start = lineStart(offset)
    let before = bytes[start..<offset]
    guard before.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) else { return nil }
    return String(decoding: before, as: UTF8.self)
  }

  /// The spaces that the line of an offset begins with.
  func lineIndentation(_ offset: Int) -> String {
    let start = lineStart(offset)
    return String(decoding: bytes[start..<min(skipBlanks(start), offset)], as: UTF8.self)
  }

  /// What ends lines in this file.
  var lineEnd: String {
    guard let first = bytes.firstIndex(where: Self.isLineEnd) else { return "\n" }
    guard bytes[first] == UInt8(ascii: "\r") else { return "\n" }
    return first + 1 < bytes.count && bytes[first + 1] == UInt8(ascii: "\n") ? "\r\n" : "\r"
  }
}

internal import Foundation

/// A `LIKE` pattern: `*` any run, `?` exactly one character, a backslash takes the next character as it is.
///
/// The pattern is cut at its stars; the pieces between them are found one after another, each at the first place that
/// fits, so that matching takes time in proportion to the text, however many stars there are. A character is a Unicode
/// scalar; when the comparison folds, a scalar with the marks that follow it.
struct LikePattern: Sendable {
  private enum Unit: Sendable {
    case any
    case text([UInt8])
  }

  private let pieces: [[Unit]]
  /// Whether every piece is made of ASCII bytes and single-character wildcards: then ASCII text is matched bytewise.
  private let bytePieces: [[UInt16]]?
  private let folding: StringFolding?
  private static let anyByte: UInt16 = 256

  init(_ pattern: String, folding: StringFolding?) {
    self.folding = folding
    var pieces: [[Unit]] = [[]]
    var literal = ""
    func flush() {
      for unit in units(of: literal, folding: folding) { pieces[pieces.count - 1].append(.text(unit)) }
      literal = ""
    }
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      if isEscaped {
        literal.unicodeScalars.append(scalar)
        isEscaped = false
        continue
      }
      switch scalar {
      case "\\": isEscaped = true
      case "*":
        flush()
        pieces.append([])
      case "?":
        flush()
        pieces[pieces.count - 1].append(.any)
      default: literal.unicodeScalars.append(scalar)
      }
    }
    if isEscaped { literal.append("\\") }
    flush()
    self.pieces = pieces
    bytePieces = Self.bytewise(pieces)
  }

  private static func bytewise(_ pieces: [[Unit]]) -> [[UInt16]]? {
    var result: [[UInt16]] = []
    for piece in pieces {
      var bytes: [UInt16] = []
      for unit in piece {
        switch unit {
        case .any: bytes.append(anyByte)
        case .text(let text):
          guard text.count == 1 else { return nil }
          bytes.append(UInt16(text[0]))
        }
      }
      result.append(bytes)
    }
    return result
  }

  func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    if isASCII(text) {
      // A piece that is not ASCII cannot be found in text that is: foldings of ASCII are ASCII.
      guard let bytePieces else { return false }
      return matches(count: text.count, pieces: bytePieces) { element, index in
        element == Self.anyByte || UInt16(foldsCase ? lowercasedASCII(text[index]) : text[index]) == element
      }
    }
    let units = units(of: String(decoding: text, as: UTF8.self), folding: folding)
    return matches(count: units.count, pieces: pieces) { element, index in
      switch element {
      case .any: true
      case .text(let text): text == units[index]
      }
    }
  }

  private var foldsCase: Bool { folding?.foldsCase ?? false }

  private func matches<Element>(
    count: Int, pieces: [[Element]], isMatch: (_ element: Element, _ index: Int) -> Bool
  ) -> Bool {
    func fits(_ piece: [Element], at start: Int) -> Bool {
      for offset in piece.indices where !isMatch(piece[offset], start + offset) { return false }
      return true
    }
    let first = pieces[0]
    guard pieces.count > 1, let last = pieces.last else { return count == first.count && fits(first, at: 0) }
    guard count >= first.count + last.count, fits(first, at: 0), fits(last, at: count - last.count) else {
      return false
    }
    var position = first.count
    let end = count - last.count
    for piece in pieces[1..<(pieces.count - 1)] where !piece.isEmpty {
      while position + piece.count <= end, !fits(piece, at: position) { position += 1 }
      guard position + piece.count <= end else { return false }
      position += piece.count
    }
    return true
  }
}

/// The characters of a text as UTF-8: scalars, or folded scalars each with its marks.
private func units(of text: String, folding: StringFolding?) -> [[UInt8]] {
  guard let folding else { return text.unicodeScalars.map { Array(UTF8.encode($0)!) } }
  var result: [[UInt8]] = []
  for scalar in folding.fold(text).unicodeScalars {
    let bytes = Array(UTF8.encode(scalar)!)
    if isCombiningMark(scalar), !result.isEmpty {
      result[result.count - 1].append(contentsOf: bytes)
    } else {
      result.append(bytes)
    }
  }
  return result
}

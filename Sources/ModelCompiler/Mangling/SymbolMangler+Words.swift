/// Identifiers, with words seen before replaced by letters.
extension SymbolMangler {
  private static let wordsMax = 26

  private struct Replacement {
    let position: Int
    /// nil marks the end of the identifier.
    let word: Int?
  }

  mutating func appendWords(of identifier: String) {
    let bytes: [UInt8] = Array(identifier.utf8)
    if bytes.contains(where: { $0 >= 0x80 }) {
      // Encoded names take no part in words.
      let encoded = Punycode.encode(identifier)
      append("00\(encoded.utf8.count)")
      if let first = encoded.utf8.first, isDigit(first) || first == UInt8(ascii: "_") { append("_") }
      return append(encoded)
    }
    let known = words.count
    let replacements = findWords(in: bytes, known: known)
    if !replacements.isEmpty { append("0") }
    append(bytes, replacing: replacements + [Replacement(position: bytes.count, word: nil)], known: known)
  }

  /// Finds words already known and remembers new ones, whose start is relative to the identifier for now.
  private mutating func findWords(in bytes: [UInt8], known: Int) -> [Replacement] {
    var replacements: [Replacement] = []
    var wordStart: Int?
    for position in 0...bytes.count {
      let byte: UInt8 = position < bytes.count ? bytes[position] : 0
      if let start = wordStart, isWordEnd(byte, after: bytes[position - 1]) {
        let word = bytes[start..<position]
        if let index = find(word, in: bytes, known: known) {
          replacements.append(Replacement(position: start, word: index))
        } else if word.count >= 2, words.count < Self.wordsMax {
          words.append(Word(start: start, length: word.count))
        }
        wordStart = nil
      }
      if wordStart == nil, byte != 0, byte != UInt8(ascii: "_"), !isDigit(byte) { wordStart = position }
    }
    return replacements
  }

  private func find(_ word: ArraySlice<UInt8>, in bytes: [UInt8], known: Int) -> Int? {
    for (index, candidate) in words.enumerated() where candidate.length == word.count {
      let range = candidate.start..<candidate.start + candidate.length
      let existing = index < known ? buffer[range] : bytes[range]
      if existing.elementsEqual(word) { return index }
    }
    return nil
  }

  private mutating func append(_ bytes: [UInt8], replacing replacements: [Replacement], known: Int) {
    var position = 0
    var next = known
    for (index, replacement) in replacements.enumerated() {
      if position < replacement.position {
        append("\(replacement.position - position)")
        while position < replacement.position {
          // From here on a new word's place is that in the buffer. New words were found in the order they are met.
          if next < words.count, words[next].start == position {
            words[next].start = buffer.count
            next += 1
          }
          buffer.append(bytes[position])
          position += 1
        }
      }
      guard let word = replacement.word else { continue }
      position += words[word].length
      // The last replacement is marked by a capital letter.
      let isLast = index == replacements.count - 2
      buffer.append((isLast ? UInt8(ascii: "A") : UInt8(ascii: "a")) + UInt8(word))
      if isLast, position == bytes.count { append("0") }
    }
  }
}

private func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
private func isUpper(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") }
private func isWordEnd(_ byte: UInt8, after previous: UInt8) -> Bool {
  byte == UInt8(ascii: "_") || byte == 0 || (!isUpper(previous) && isUpper(byte))
}

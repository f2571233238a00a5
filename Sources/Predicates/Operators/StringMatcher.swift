internal import Foundation
internal import Glibc

/// A comparison of strings with one side known, prepared once: the needle is folded, the pattern compiled.
///
/// Immutable, so that it can be shared between threads; text is read where it lies, as UTF-8.
final class StringMatcher: @unchecked Sendable {
  // unchecked: NSRegularExpression is immutable and documented as safe to share, but is not marked so.
  enum Test: Sendable {
    case equal
    case less
    case lessOrEqual
    case greater
    case greaterOrEqual
    case beginsWith
    case endsWith
    case contains
    case like(LikePattern)
    case matches
  }

  private let test: Test
  private let folding: StringFolding?
  private let needle: [UInt8]
  private let needleIsASCII: Bool
  private let search: ByteSearch
  private let expression: NSRegularExpression?

  /// - Parameter type: a comparison of strings; `notEqualTo` is the caller's negation of `equalTo`.
  /// - Throws: `QueryError` for a regular expression that is none.
  init(
    _ type: NSComparisonPredicate.Operator, _ text: String, options: NSComparisonPredicate.Options
  ) throws(QueryError) {
    let folding = options.folding
    self.folding = folding
    var expression: NSRegularExpression?
    switch type {
    case .lessThan: test = .less
    case .lessThanOrEqualTo: test = .lessOrEqual
    case .greaterThan: test = .greater
    case .greaterThanOrEqualTo: test = .greaterOrEqual
    case .beginsWith: test = .beginsWith
    case .endsWith: test = .endsWith
    case .contains: test = .contains
    case .like: test = .like(LikePattern(text, folding: folding))
    case .matches:
      test = .matches
      expression = try compileExpression(text, options: options)
    default: test = .equal
    }
    self.expression = expression
    let bytes = Array(text.utf8)
    needle = bytes.withUnsafeBytes { folding?.folded($0) ?? Array($0) }
    needleIsASCII = needle.withUnsafeBytes(isASCII)
    search = ByteSearch(needle)
  }

  func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { matches(UnsafeRawBufferPointer($0)) }
  }

  func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    switch test {
    case .like(let pattern): return pattern.matches(text)
    case .matches: return matchesExpression(text)
    default: break
    }
    guard let folding else { return needle.withUnsafeBytes { matches(text, $0, respectsMarks: false) } }
    if isASCII(text) {
      return matchesASCII(text, foldsCase: folding.foldsCase)
    }
    return folding.folded(text).withUnsafeBytes { text in
      needle.withUnsafeBytes { matches(text, $0, respectsMarks: !folding.foldsDiacritics) }
    }
  }

  /// Folding of ASCII text is at most lower-casing it, which is done in a scratch buffer.
  private func matchesASCII(_ text: UnsafeRawBufferPointer, foldsCase: Bool) -> Bool {
    guard foldsCase else { return needle.withUnsafeBytes { matches(text, $0, respectsMarks: false) } }
    if !needleIsASCII {
      switch test {
      case .equal, .beginsWith, .endsWith, .contains: return false
      default: break
      }
    }
    return withUnsafeTemporaryAllocation(byteCount: text.count, alignment: 8) { scratch in
      for index in 0..<text.count { scratch[index] = lowercasedASCII(text[index]) }
      return needle.withUnsafeBytes { matches(UnsafeRawBufferPointer(scratch), $0, respectsMarks: false) }
    }
  }

  /// - Parameter respectsMarks: whether a match may not end before a combining mark: "e" is not in "é".
  private func matches(_ text: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer, respectsMarks: Bool) -> Bool {
    switch test {
    case .equal: return text.count == needle.count && compareBytes(text, needle) == 0
    case .less: return compareBytes(text, needle) < 0
    case .lessOrEqual: return compareBytes(text, needle) <= 0
    case .greater: return compareBytes(text, needle) > 0
    case .greaterOrEqual: return compareBytes(text, needle) >= 0
    case .beginsWith:
      guard needle.count > 0, text.count >= needle.count else { return false }
      guard memcmp(text.baseAddress!, needle.baseAddress!, needle.count) == 0 else { return false }
      return !respectsMarks || !hasMark(text, at: needle.count)
    case .endsWith:
      guard needle.count > 0, text.count >= needle.count else { return false }
      return memcmp(text.baseAddress! + (text.count - needle.count), needle.baseAddress!, needle.count) == 0
    case .contains: return contains(text, respectsMarks: respectsMarks)
    case .like, .matches: return false
    }
  }

  private func contains(_ text: UnsafeRawBufferPointer, respectsMarks: Bool) -> Bool {
    var start = 0
    while let index = search.firstIndex(in: text, from: start) {
      if !respectsMarks || !hasMark(text, at: index + needle.count) { return true }
      start = index + 1
    }
    return false
  }

  private func matchesExpression(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let expression else { return false }
    var text = String(decoding: bytes, as: UTF8.self)
    if folding?.foldsDiacritics == true {
      text = StringFolding(foldsCase: false, foldsDiacritics: true).fold(text)
    }
    let range = NSRange(location: 0, length: text.utf16.count)
    return expression.firstMatch(in: text, options: .anchored, range: range) != nil
  }
}

extension NSComparisonPredicate.Options {
  /// How strings are folded before they are compared; `nil` for comparison by code units.
  var folding: StringFolding? {
    guard !isEmpty else { return nil }
    return StringFolding(
      foldsCase: contains(.caseInsensitive), foldsDiacritics: contains(.diacriticInsensitive))
  }
}

/// Whether a combining mark starts at a place in UTF-8 text.
private func hasMark(_ text: UnsafeRawBufferPointer, at index: Int) -> Bool {
  // Marks start at U+0300, whose first byte is 0xCC.
  guard index < text.count, text[index] >= 0xCC else { return false }
  let rest = UnsafeRawBufferPointer(rebasing: text[index..<min(text.count, index + 4)])
  guard let scalar = String(decoding: rest, as: UTF8.self).unicodeScalars.first else { return false }
  return isCombiningMark(scalar)
}

/// Unicode scalar order, which is the order of UTF-8's bytes.
func compareBytes(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
  let common = min(a.count, b.count)
  if common > 0 {
    let order = memcmp(a.baseAddress!, b.baseAddress!, common)
    if order != 0 { return Int(order) }
  }
  return a.count - b.count
}

/// A regular expression anchored at both ends.
private func compileExpression(
  _ pattern: String, options: NSComparisonPredicate.Options
) throws(QueryError) -> NSRegularExpression {
  var pattern = pattern
  if options.contains(.diacriticInsensitive) {
    pattern = StringFolding(foldsCase: false, foldsDiacritics: true).fold(pattern)
  }
  let flags: NSRegularExpression.Options = options.contains(.caseInsensitive) ? .caseInsensitive : []
  guard (try? NSRegularExpression(pattern: pattern, options: flags)) != nil,
    let anchored = try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z", options: flags)
  else {
    throw QueryError(.syntax, "“\(pattern)” is not a regular expression, which MATCHES needs.")
  }
  return anchored
}

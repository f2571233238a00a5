import Foundation
import Testing

@testable import Predicates

private typealias Comparing = Predicates.NSComparisonPredicate

@Suite("Strings")
struct StringTests {
  private static let operators: [Comparing.Operator] = [
    .equalTo, .lessThan, .greaterThanOrEqualTo, .beginsWith, .endsWith, .contains, .like,
  ]

  private func random(_ random: inout Seeded, _ alphabet: [String], _ count: Int) -> String {
    (0..<Int.random(in: 0..<count, using: &random)).map { _ in
      alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
    }
    .joined()
  }

  /// The slow and obvious way: fold everything, compare scalars.
  private func oracle(
    _ type: Comparing.Operator, _ text: String, _ needle: String, _ folding: StringFolding?
  ) -> Bool {
    let a = Array((folding?.fold(text) ?? text).unicodeScalars)
    let b = Array((folding?.fold(needle) ?? needle).unicodeScalars)
    let respectsMarks = folding.map { !$0.foldsDiacritics } ?? false
    func endsCleanly(_ end: Int) -> Bool { !respectsMarks || end == a.count || !isCombiningMark(a[end]) }
    switch type {
    case .equalTo: return a == b
    case .lessThan: return a.lexicographicallyPrecedes(b)
    case .greaterThanOrEqualTo: return !a.lexicographicallyPrecedes(b)
    case .beginsWith: return !b.isEmpty && a.starts(with: b) && endsCleanly(b.count)
    case .endsWith: return !b.isEmpty && a.suffix(b.count) == b[...]
    case .contains:
      guard !b.isEmpty, a.count >= b.count else { return false }
      return (0...(a.count - b.count)).contains { a[$0..<($0 + b.count)] == b[...] && endsCleanly($0 + b.count) }
    default: return false
    }
  }

  @Test("The short cuts for ASCII and for tables agree with folding scalar by scalar")
  func shortcuts() throws {
    var random = Seeded(11)
    let alphabet = [
      "a", "A", "b", "B", "é", "É", "e", "\u{301}", "ß", "s", "S", "Ж", "ж", "🙂", "\u{323}", "ế", "K", "각", " ",
    ]
    let options: [Comparing.Options] = [
      [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive], .normalized,
    ]
    for _ in 0..<4000 {
      let letters = Bool.random(using: &random) ? Array(alphabet[0..<4]) : alphabet
      let text = self.random(&random, letters, 9)
      let needle = self.random(&random, Bool.random(using: &random) ? letters : alphabet, 4)
      for type in Self.operators.dropLast() {
        for option in options {
          let matcher = try StringMatcher(type, needle, options: option)
          let expected = oracle(type, text, needle, option.folding)
          #expect(
            matcher.matches(text) == expected,
            "\(text.debugDescription) \(type) \(option.rawValue) \(needle.debugDescription)")
        }
      }
    }
  }

  /// By recursion over both.
  private func likeOracle(_ text: ArraySlice<Character>, _ pattern: ArraySlice<Character>) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    if first == "*" {
      return likeOracle(text, pattern.dropFirst()) || (!text.isEmpty && likeOracle(text.dropFirst(), pattern))
    }
    guard let letter = text.first else { return false }
    return (first == "?" || first == letter) && likeOracle(text.dropFirst(), pattern.dropFirst())
  }

  @Test("B152: LIKE agrees with trying everything")
  func likeAgrees() throws {
    var random = Seeded(5)
    for _ in 0..<4000 {
      let text = self.random(&random, ["a", "b", "é"], 8)
      let pattern = self.random(&random, ["a", "b", "*", "?", "é"], 7)
      let expected = likeOracle(Array(text)[...], Array(pattern)[...])
      #expect(try StringMatcher(.like, pattern, options: []).matches(text) == expected, "\(text) LIKE \(pattern)")
      #expect(
        try StringMatcher(.like, pattern, options: [.caseInsensitive, .diacriticInsensitive]).matches(text)
          == likeOracle(
            Array(StringFolding.canonical.fold(text))[...], Array(StringFolding.canonical.fold(pattern))[...]))
    }
  }

  @Test("B152: many stars over long texts are no matter")
  func manyStars() throws {
    let text = String(repeating: "a", count: 10_000)
    let pattern = String(repeating: "*a", count: 30) + "*b"
    for options in [[], Comparing.Options.caseInsensitive] {
      let matcher = try StringMatcher(.like, pattern, options: options)
      for _ in 0..<20 { #expect(!matcher.matches(text)) }
    }
    #expect(try StringMatcher(.like, String(repeating: "*a", count: 30), options: []).matches(text))
    let needle = String(repeating: "a", count: 5_000) + "b"
    #expect(try !StringMatcher(.contains, needle, options: []).matches(String(repeating: "a", count: 1_000_000)))
  }

  @Test(
    "B037: emoji, flags and joined families can be searched with every option",
    arguments: ["🙂", "👨‍👩‍👧", "🇸🇪", "👍🏽", "e\u{301}", "\u{FFFD}", "", "👩"])
  func emoji(needle: String) throws {
    let text = "x👨‍👩‍👧 🇸🇪 👍🏽 🙂 e\u{301} \u{FFFD} y"
    for options in ["", "[c]", "[d]", "[cd]", "[n]", "[l]"] {
      for sign in ["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES", "==", "<", "IN"] {
        let predicate = try NSPredicate(parsing: "SELF \(sign)\(options) %@", arguments: [needle])
        let found = predicate.evaluate(with: text)
        if sign == "CONTAINS" { #expect(found == !needle.isEmpty, "\(options)") }
      }
    }
  }

  @Test("MATCHES is anchored at both ends, with options")
  func regularExpressions() throws {
    #expect(NSPredicate(format: "SELF MATCHES 'a|ab'").evaluate(with: "ab"))
    #expect(!NSPredicate(format: "SELF MATCHES 'a'").evaluate(with: "ab"))
    #expect(NSPredicate(format: "SELF MATCHES[cd] 'É.*'").evaluate(with: "eve"))
    #expect(NSPredicate(format: "SELF MATCHES '\\d+'").evaluate(with: "12"))
    #expect(
      !NSPredicate(format: "SELF MATCHES %@", "(").evaluate(with: "("), "a bad pattern from a variable matches nothing")
  }

  @Test("C66: the collation of ASCII text is ICU's")
  func collation() {
    var random = Seeded(21)
    let alphabet = (0x20..<0x7F).map { String(UnicodeScalar(UInt8($0))) }
    let few = ["a", "A", "b", "1", "0", "2", " ", "_", "-"]
    for ignoresCase in [false, true] {
      for isNumeric in [false, true] {
        let collation = Collation(ignoresCase: ignoresCase, isNumeric: isNumeric)
        for _ in 0..<3000 {
          let letters = Bool.random(using: &random) ? few : alphabet
          let (a, b) = (self.random(&random, letters, 6), self.random(&random, letters, 6))
          #expect(
            collation.compare(a, b) == collation.compareByICU(a, b), "\(a.debugDescription) \(b.debugDescription)")
        }
      }
    }
  }

  @Test("Folding is idempotent, and the same for composed and decomposed text")
  func foldingLaws() {
    for value in UInt32(0x80)..<0x3000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = String(scalar)
      let folded = StringFolding.canonical.fold(text)
      if folded != StringFolding.canonical.fold(folded) { Issue.record("U+\(String(value, radix: 16)) folds twice") }
      if folded.utf8.elementsEqual(StringFolding.canonical.fold(text.decomposedStringWithCanonicalMapping).utf8) {
        continue
      }
      Issue.record("U+\(String(value, radix: 16)) folds differently when decomposed")
    }
  }
}

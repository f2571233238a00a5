internal import Foundation

/// The order of strings for people, the same whatever the machine's language: ICU's root order.
struct Collation: Sendable, Hashable {
  var ignoresCase = false
  var ignoresDiacritics = false
  /// Runs of digits compare as numbers: "file2" before "file10".
  var isNumeric = false

  private static let root = Locale(identifier: "en_US_POSIX")

  func compare(_ a: String, _ b: String) -> Int {
    var options: String.CompareOptions = []
    if ignoresCase { options.insert(.caseInsensitive) }
    if ignoresDiacritics { options.insert(.diacriticInsensitive) }
    if isNumeric { options.insert(.numeric) }
    return a.compare(b, options: options, range: nil, locale: Self.root).rawValue
  }
}

import Foundation

/// Real predicate formats, kept beside the checkout and not part of it.
enum Corpus {
  struct Entry: Sendable {
    let format: String
    let kinds: [String]

    /// Arguments of the kinds that the code around the format passes.
    var arguments: [Any?] {
      kinds.enumerated().map { index, kind in
        switch kind {
        case "keyPath": "key\(index)"
        case "int", "number": 7
        case "double": 1.5
        case "date": Date(timeIntervalSinceReferenceDate: 700_000_000.25)
        case "collection": ["a", "b"]
        case "uuid": UUID(uuidString: "00000000-0000-0000-0000-00000000000A")!
        case "null": nil
        // The collection did not work out the type of what %a prints.
        case "object?" where format.contains("%a") || format.contains("%la"): 1.5
        default: "text"
        }
      }
    }
  }

  static let directory: URL? = {
    let named = ProcessInfo.processInfo.environment["ANNALS_CORPUS"].map { URL(fileURLWithPath: $0) }
    let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let candidates = [named, checkout.deletingLastPathComponent().appendingPathComponent("shared")].compactMap { $0 }
    return candidates.map { $0.appendingPathComponent("corpus") }.first {
      FileManager.default.fileExists(atPath: $0.appendingPathComponent("predicates.tsv").path)
    }
  }()

  static let isPresent = directory != nil

  /// Formats as their program sees them: Swift interpolations filled in. Left out are those with an interpolation in
  /// place of an operator, and texts that the collection cut short.
  static func entries() throws -> [Entry] {
    guard let directory else { return [] }
    let text = try String(contentsOf: directory.appendingPathComponent("predicates.tsv"), encoding: .utf8)
    var entries: [Entry] = []
    for line in text.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count > 2, let format = filled(fields[0]), !format.contains("‹") else { continue }
      let kinds = fields[1].replacingOccurrences(of: "[argArray]", with: "").split(separator: ",")
        .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
      entries.append(Entry(format: format, kinds: kinds))
    }
    return entries
  }

  /// Replaces each `\(…)` by a key, and the line ends of concatenated literals by a blank.
  private static func filled(_ format: String) -> String? {
    var result = ""
    var rest = Substring(format)
    while let start = rest.range(of: "\\(") {
      result += rest[..<start.lowerBound]
      var depth = 1
      var index = start.upperBound
      while index < rest.endIndex, depth > 0 {
        if rest[index] == "(" { depth += 1 }
        if rest[index] == ")" { depth -= 1 }
        index = rest.index(after: index)
      }
      guard depth == 0 else { return nil }
      let body = rest[start.upperBound..<rest.index(before: index)]
      switch body {
      case "propertyAndComparison": result += "key =="
      case "cs": result += "[c]"
      case "comparison.coreDataComparison()": result += "=="
      case "predicateExpressionNotYetExpired", "o", "roleNameMatchingConditions": result += "key == 1"
      case _ where body.contains("? \"NOT\""): result += "NOT "
      default: result += "key"
      }
      rest = rest[index...]
    }
    result += rest
    return result.replacingOccurrences(of: "\\ ", with: " ")
  }
}

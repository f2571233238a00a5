import Foundation

/// The real model files that lie beside the checkout, where there are any.
enum Corpus {
  static let directory: URL? = {
    let environment: String? = ProcessInfo.processInfo.environment["ANNALS_CORPUS"]
    let checkout: URL = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let shared: URL =
      environment.map { URL(fileURLWithPath: $0) }
      ?? checkout.deletingLastPathComponent().appendingPathComponent("shared")
    let models: URL = shared.appendingPathComponent("corpus/models")
    return FileManager.default.fileExists(atPath: models.appendingPathComponent("INDEX.tsv").path) ? models : nil
  }()

  static var isPresent: Bool { directory != nil }

  struct Entry: Sendable {
    let file: String
    /// "entities" to "12", and so on.
    let features: [String: String]

    func count(_ feature: String) -> Int { features[feature].flatMap { Int($0) } ?? 0 }
  }

  static let entries: [Entry] = {
    guard let directory,
      let index = try? String(contentsOf: directory.appendingPathComponent("INDEX.tsv"), encoding: .utf8)
    else { return [] }
    return index.split(separator: "\n").dropFirst().map { line in
      let columns: [Substring] = line.split(separator: "\t", omittingEmptySubsequences: false)
      var features: [String: String] = [:]
      for feature in columns.last?.split(separator: ";") ?? [] {
        let parts: [Substring] = feature.split(separator: "=", maxSplits: 1)
        if parts.count == 2 { features[String(parts[0])] = String(parts[1]) }
      }
      return Entry(file: String(columns[0]), features: features)
    }
  }()

  static func data(_ entry: Entry) throws -> Data {
    guard let directory else { return Data() }
    return try Data(contentsOf: directory.appendingPathComponent(entry.file))
  }
}

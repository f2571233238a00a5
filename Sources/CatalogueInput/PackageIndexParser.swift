internal import Bytes
internal import Foundation

/// Reads the paragraphs of an index: fields as `Name: value`, continued on lines that start with a space, paragraphs
/// apart by an empty line.
struct PackageIndexParser {
  let file: String
  let text: [UInt8]

  func entries() throws -> [PackageEntry] {
    var entries: [PackageEntry] = []
    try text.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
      var line = 1
      var start = 0
      while start < bytes.count {
        // A paragraph ends at an empty line.
        var end = start
        var next = start
        while next < bytes.count, bytes[next] != newline {
          end = Self.endOfLine(bytes, from: next)
          next = end + 1
        }
        if end > start {
          let paragraph = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
          if let entry = try self.entry(paragraph, line: line) { entries.append(entry) }
          line += Self.lines(in: paragraph) + 1
        }
        while next < bytes.count, bytes[next] == newline {
          next += 1
          line += 1
        }
        start = next
      }
    }
    return entries
  }

  private let newline = UInt8(ascii: "\n")

  private static func endOfLine(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    guard let base = bytes.baseAddress, let found = memchr(base + start, 10, bytes.count - start) else {
      return bytes.count
    }
    return UnsafeRawPointer(found) - base
  }

  private static func lines(in bytes: UnsafeRawBufferPointer) -> Int {
    bytes.reduce(0) { $0 + ($1 == 10 ? 1 : 0) }
  }

  private func entry(_ paragraph: UnsafeRawBufferPointer, line firstLine: Int) throws -> PackageEntry? {
    var entry = PackageEntry()
    var isInstalled = true
    var group = 0
    var start = 0
    var line = firstLine
    while start < paragraph.count {
      let fieldLine = line
      var end = Self.endOfLine(paragraph, from: start)
      line += 1
      // Continuation lines belong to the field above.
      while end + 1 < paragraph.count, paragraph[end + 1] == 0x20 || paragraph[end + 1] == 0x09 {
        end = Self.endOfLine(paragraph, from: end + 1)
        line += 1
      }
      let field = UnsafeRawBufferPointer(rebasing: paragraph[start..<end])
      guard let colon = field.firstIndex(of: UInt8(ascii: ":")) else {
        let text = String(decoding: field.prefix(40), as: UTF8.self)
        throw PackageIndexError(
          file: file, line: fieldLine, message: "expected a field, as in \"Package: name\", and found \"\(text)\"")
      }
      let name = String(decoding: field[..<colon], as: UTF8.self)
      try set(
        name, to: { Self.trimmed(field[(colon + 1)...]) }, in: &entry, group: &group, isInstalled: &isInstalled,
        line: fieldLine)
      start = end + 1
    }
    guard !entry.name.isEmpty else {
      throw PackageIndexError(file: file, line: firstLine, message: "a paragraph without a Package field")
    }
    guard isInstalled else { return nil }
    entry.fingerprint = Int64(bitPattern: Checksum.xxh3_64(paragraph, seed: 0))
    return entry
  }

  private func set(
    _ field: String, to value: () -> String, in entry: inout PackageEntry, group: inout Int, isInstalled: inout Bool,
    line: Int
  ) throws {
    switch field {
    case "Package": entry.name = value()
    case "Version": entry.version = value()
    case "Section": entry.section = value()
    case "Maintainer": entry.maintainer = value()
    case "Homepage": entry.homepage = value()
    case "Description": entry.summary = String(value().prefix { !$0.isNewline })
    case "Size": entry.downloadBytes = try number(value(), field: field, line: line)
    case "Installed-Size": entry.installedKiB = try number(value(), field: field, line: line)
    case "Tag": entry.tags = Self.tags(value())
    case "Depends": entry.dependencies += Self.dependencies(value(), isPre: false, group: &group)
    case "Pre-Depends": entry.dependencies += Self.dependencies(value(), isPre: true, group: &group)
    // dpkg's status also lists packages that are gone but for their configuration.
    case "Status": isInstalled = value().hasSuffix(" installed")
    default: break
    }
  }

  private func number(_ text: String, field: String, line: Int) throws -> Int64 {
    guard let number = Int64(text) else {
      throw PackageIndexError(file: file, line: line, message: "\(field) must be a number, found \"\(text)\"")
    }
    return number
  }

  private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    String(decoding: bytes.drop { $0 == 0x20 || $0 == 0x09 }, as: UTF8.self)
  }

  static func tags(_ text: String) -> [String] {
    var tags: [String] = []
    var part = ""
    var depth = 0
    // A comma inside braces belongs to a group, "implemented-in::{c,c++}".
    for character in text + "," {
      if character == "," && depth == 0 {
        tags += expanded(part)
        part = ""
      } else if !character.isWhitespace {
        depth += character == "{" ? 1 : character == "}" ? -1 : 0
        part.append(character)
      }
    }
    return tags
  }

  /// "implemented-in::{c,c++}" stands for two tags.
  private static func expanded(_ tag: String) -> [String] {
    guard let open = tag.firstIndex(of: "{"), let close = tag.lastIndex(of: "}"), open < close else {
      return tag.isEmpty ? [] : [tag]
    }
    let choices = tag[tag.index(after: open)..<close].split(separator: ",")
    return choices.map { "\(tag[..<open])\($0)\(tag[tag.index(after: close)...])" }
  }

  static func dependencies(_ text: String, isPre: Bool, group: inout Int) -> [PackageEntry.Dependency] {
    var result: [PackageEntry.Dependency] = []
    // By bytes: an index has some three hundred thousand of these, and characters cost a look-up each.
    for clause in text.utf8.split(separator: UInt8(ascii: ",")) {
      for alternative in clause.split(separator: UInt8(ascii: "|")) {
        guard let dependency = dependency(alternative, isPre: isPre, group: group) else { continue }
        result.append(dependency)
      }
      group += 1
    }
    return result
  }

  /// "libc6:any (>= 2.34) [amd64]": a name, perhaps for an architecture, perhaps with a constraint.
  private static func dependency(
    _ text: Substring.UTF8View, isPre: Bool, group: Int
  ) -> PackageEntry.Dependency? {
    let words: Substring.UTF8View = text.drop { isSpace($0) }
    let name: Substring.UTF8View = words.prefix { !isSpace($0) && !endsName.contains($0) }
    guard !name.isEmpty else { return nil }
    var constraint: String?
    if let open = words.firstIndex(of: UInt8(ascii: "(")), let close = words.firstIndex(of: UInt8(ascii: ")")),
      open < close
    {
      constraint = String(Substring(words[words.index(after: open)..<close]))
    }
    return PackageEntry.Dependency(
      targetName: String(Substring(name)), constraint: constraint, group: group, isPre: isPre)
  }

  private static let endsName: [UInt8] = Array("(:[".utf8)

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D }
}

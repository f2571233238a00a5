import FileSystem

/// The names in a log's directory.
enum SegmentFiles {
  static let lockName = "writer.lock"
  private static let prefix = "log-"
  private static let suffix = ".seg"

  static func path(_ directory: String, _ name: String) -> String {
    directory.hasSuffix("/") ? directory + name : directory + "/" + name
  }

  static func path(_ directory: String, sequence: UInt64) -> String {
    let digits = String(sequence, radix: 16)
    let zeros = String(repeating: "0", count: 16 - digits.count)
    return path(directory, prefix + zeros + digits + suffix)
  }

  /// The sequence in a segment's name; other names have none.
  static func sequence(of name: String) -> UInt64? {
    let digits = name.utf8.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
    guard name.hasPrefix(prefix), name.hasSuffix(suffix), digits.count == 16 else { return nil }
    let isLowerHex = digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    guard isLowerHex, let sequence = UInt64(String(decoding: digits, as: UTF8.self), radix: 16) else { return nil }
    return (1...FormatLimits.sequenceMax).contains(sequence) ? sequence : nil
  }

  /// The directory that a path is in.
  static func parent(of path: String) -> String {
    var name = path[...]
    while name.count > 1, name.hasSuffix("/") { name = name.dropLast() }
    guard let slash = name.lastIndex(of: "/") else { return "." }
    return slash == name.startIndex ? "/" : String(name[..<slash])
  }

  /// The segments in a directory, in order, and whether anything else is there that no log puts there.
  static func list(
    _ directory: String, in fileSystem: any FileSystem
  ) throws(LogError) -> (sequences: [UInt64], hasForeignFiles: Bool) {
    let names = try doing("Looking for a log") { () throws(FileError) in try fileSystem.list(directory) }
    let sequences = names.compactMap { sequence(of: $0) }.sorted()
    let others = names.filter { sequence(of: $0) == nil && $0 != lockName && $0 != "lost+found" }
    return (sequences, !others.isEmpty)
  }
}

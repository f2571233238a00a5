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
    path(directory, prefix + hex(sequence) + suffix)
  }

  /// The sequence in a segment's name; other names have none.
  static func sequence(of name: String) -> UInt64? {
    guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
    guard let sequence = number(name.dropFirst(prefix.count).dropLast(suffix.count)) else { return nil }
    return (1...FormatLimits.sequenceMax).contains(sequence) ? sequence : nil
  }

  private static let tornPrefix = "torn-"
  private static let tornSuffix = ".bin"

  /// The name of the file that keeps what was cut from a place. Sorted, the names are in the order of the log.
  static func tornName(_ location: RecordLocation) -> String {
    tornPrefix + hex(location.segment) + "-" + hex(location.offsetBytes) + tornSuffix
  }

  static func tornLocation(of name: String) -> RecordLocation? {
    guard name.hasPrefix(tornPrefix), name.hasSuffix(tornSuffix) else { return nil }
    let parts = name.dropFirst(tornPrefix.count).dropLast(tornSuffix.count).split(
      separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let segment = number(parts[0]), let offset = number(parts[1]) else { return nil }
    return RecordLocation(segment: segment, offsetBytes: offset)
  }

  private static func hex(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private static func number(_ digits: Substring) -> UInt64? {
    let isLowerHex = digits.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    return isLowerHex && digits.utf8.count == 16 ? UInt64(digits, radix: 16) : nil
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
    let others = names.filter {
      sequence(of: $0) == nil && tornLocation(of: $0) == nil && $0 != lockName && $0 != "lost+found"
    }
    return (sequences, !others.isEmpty)
  }
}

/// The names of checkpoints in a store's directory.
enum CheckpointFiles {
  private static let prefix = "checkpoint-"
  private static let suffix = ".ckp"
  private static let temporarySuffix = ".tmp"

  static func name(_ number: UInt64) -> String { prefix + hex(number) + suffix }

  /// A name that no other writer uses at the same time, in this process or another.
  static func temporaryName(_ number: UInt64) -> String {
    prefix + hex(number) + "-" + hex(UInt64.random(in: 0...UInt64.max)) + temporarySuffix
  }

  /// The record that a checkpoint of this name is as of; other names have none.
  static func number(of name: String) -> UInt64? {
    guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
    let digits = name.dropFirst(prefix.count).dropLast(suffix.count)
    let isLowerHex = digits.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    return isLowerHex && digits.utf8.count == 16 ? UInt64(digits, radix: 16) : nil
  }

  /// Whether a file is a checkpoint that was not finished.
  static func isTemporary(_ name: String) -> Bool { name.hasPrefix(prefix) && name.hasSuffix(temporarySuffix) }

  static func path(_ directory: String, _ name: String) -> String {
    directory.hasSuffix("/") ? directory + name : directory + "/" + name
  }

  private static func hex(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

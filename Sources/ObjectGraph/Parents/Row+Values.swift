internal import Foundation
internal import Schema

extension Row {
  /// Whether another row of the same entity has the same values, whatever their versions.
  func hasSameValues(as other: Row) -> Bool {
    if base == other.base { return true }
    guard lengthBytes == other.lengthBytes, lengthBytes > Self.headerBytes else { return false }
    return memcmp(base + Self.headerBytes, other.base + Self.headerBytes, lengthBytes - Self.headerBytes) == 0
  }

  /// Length, number of slots, key and version come before the values.
  private static let headerBytes = 24
}

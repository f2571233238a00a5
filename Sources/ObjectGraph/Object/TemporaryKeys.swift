internal import Schema
internal import Synchronization

/// Ordinals of objects that no store holds: unique in the process.
enum TemporaryKeys {
  private static let last = Atomic<UInt64>(0)

  static func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}

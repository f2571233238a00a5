public import Foundation

/// Names a state of the stores, for contexts to read from. Immutable; any thread.
public final class NSQueryGenerationToken: NSObject, NSCopying, NSSecureCoding, Sendable {
  let kind: Kind

  /// What it stands for.
  enum Kind: Sendable {
    /// Whatever is newest when a context first reads.
    case current
    /// One state of each store.
    case pinned(PinnedViews)
  }

  init(_ kind: Kind) {
    self.kind = kind
    super.init()
  }

  /// Pins a context to what is newest when it next reads.
  public static let current = NSQueryGenerationToken(.current)

  public func copy(with zone: NSZone? = nil) -> Any { self }
  public override func copy() -> Any { self }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSQueryGenerationToken else { return false }
    if self === other { return true }
    guard case .pinned(let mine) = kind, case .pinned(let theirs) = other.kind else { return false }
    return mine.numbers == theirs.numbers
  }

  public override var hash: Int {
    guard case .pinned(let views) = kind else { return 0 }
    return views.numbers.hashValue
  }

  // A pinned state lives in this process only; what is archived is `current`.
  public static var supportsSecureCoding: Bool { true }
  public func encode(with coder: NSCoder) {}
  public init?(coder: NSCoder) {
    kind = .current
    super.init()
  }
}

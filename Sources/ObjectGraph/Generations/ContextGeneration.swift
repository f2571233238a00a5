internal import StoreContract

/// Which states of the stores a context reads.
enum ContextGeneration {
  /// The newest at every read.
  case newest
  /// The newest when it next reads, and that one from then on.
  case nextRead
  case pinned(NSQueryGenerationToken, PinnedViews)

  /// After a reset a pinned context pins anew with its next read.
  mutating func forget() {
    if case .pinned = self { self = .nextRead }
  }
}

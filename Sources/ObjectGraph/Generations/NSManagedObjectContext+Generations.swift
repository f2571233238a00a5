internal import Foundation
internal import Schema
internal import StoreContract

extension NSManagedObjectContext {
  /// Makes the context read one state of its stores, whatever is saved meanwhile.
  ///
  /// Objects keep the values they have: call `refreshAllObjects()` to see them as of then. A save of the context moves
  /// it to the state after the save, and is checked against the newest state as always; merging saves of others
  /// automatically moves it too, `mergeChanges` alone does not. `reset()` lets go of the state and pins a newer one with
  /// the next read. Costs nothing but that the state is kept.
  ///
  /// - Parameter generation: `NSQueryGenerationToken.current` for the newest when the context next reads, another
  ///   context's token for the state which that one reads, `nil` for the newest at every read.
  /// - Throws: for a context with a parent, which reads what its parent reads: pin the root of the chain.
  public final func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {
    guard settings.parent == nil else {
      throw GraphError.make(
        NSPersistentStoreOperationError,
        "The context '\(name ?? "")' reads what its parent reads and can't be pinned by itself: pin the parent.")
    }
    guard let generation else {
      self.generation = .newest
      return
    }
    switch generation.kind {
    case .current: self.generation = .nextRead
    case .pinned(let views): self.generation = .pinned(generation, views)
    }
  }

  /// Names the state that the context reads: `nil` when that is the newest at every read, `current` when it was pinned
  /// and has not read yet.
  public final var queryGenerationToken: NSQueryGenerationToken? {
    if let parent = settings.parent { return parent.performAndWait { parent.queryGenerationToken } }
    return switch generation {
    case .newest: nil
    case .nextRead: .current
    case .pinned(let token, _): token
    }
  }

  /// The state of a store that the context reads.
  final func generationView(of store: NSPersistentStore) throws -> (any StoreView)? {
    if let own = try store.ownView(for: self) { return own }
    if case .nextRead = generation { try pin() }
    if case .pinned(_, let views) = generation, let view = views.view(of: store) { return view }
    return try store.backend?.currentView()
  }

  /// Moves a pinned context to the newest state.
  final func advanceGeneration() {
    guard case .pinned = generation else { return }
    // A store that can't tell its state now is asked again at the next read, which can throw.
    do { try pin() } catch { generation = .nextRead }
  }

  private func pin() throws {
    let views = try PinnedViews(settings.coordinator?.persistentStores ?? [])
    generation = .pinned(NSQueryGenerationToken(.pinned(views)), views)
  }
}

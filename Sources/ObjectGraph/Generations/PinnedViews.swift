internal import StoreContract

/// The states of stores that a context reads from, kept for as long as somebody holds them. Any thread.
struct PinnedViews: Sendable {
  private(set) var views: [ObjectIdentifier: any StoreView] = [:]

  /// The commit number of each store: what makes two generations the same.
  var numbers: [ObjectIdentifier: UInt64] { views.mapValues { $0.commitNumber } }

  init(_ stores: [NSPersistentStore]) throws {
    for store in stores {
      guard let backend = store.backend else { continue }
      do { views[ObjectIdentifier(store)] = try backend.currentView() } catch {
        throw GraphError.wrapping(error, during: .fetch, store: store.storeName)
      }
    }
  }

  func view(of store: NSPersistentStore) -> (any StoreView)? { views[ObjectIdentifier(store)] }
}

internal import Foundation

/// A sort descriptor that knows its key.
final class KeyedSortDescriptor: NSSortDescriptor {
  let sortKey: String?
  let sortSelector: Selector?
  let sortComparator: Comparator?

  init(key: String?, ascending: Bool, selector: Selector?, comparator: Comparator?) {
    sortKey = key ?? "self"
    sortSelector = selector ?? (comparator == nil ? Selector("compare:") : nil)
    sortComparator = comparator
    super.init(keyPath: \String.count, ascending: ascending, comparator: { _, _ in .orderedSame })
  }

  init<Root, Value>(typed keyPath: KeyPath<Root, Value>, ascending: Bool) {
    sortKey = nil
    sortSelector = Selector("compare:")
    sortComparator = nil
    super.init(keyPath: keyPath, ascending: ascending, comparator: { _, _ in .orderedSame })
  }
}

internal import Foundation
internal import Schema

/// A sort descriptor that knows its key.
final class KeyedSortDescriptor: NSSortDescriptor {
  /// `nil` for one made from a Swift key path: its name is looked up when it is needed.
  let sortKey: String?
  let sortSelector: Selector?
  let sortComparator: Comparator?
  private let read: ((Any) -> Any?)?

  init(key: String?, ascending: Bool, selector: Selector?, comparator: Comparator?) {
    sortKey = key ?? "self"
    sortSelector = selector ?? (comparator == nil ? Selector("compare:") : nil)
    sortComparator = comparator
    read = nil
    super.init(keyPath: \String.count, ascending: ascending, comparator: { _, _ in .orderedSame })
  }

  init<Root, Value>(typed keyPath: KeyPath<Root, Value>, ascending: Bool) {
    sortKey = nil
    sortSelector = Selector("compare:")
    sortComparator = nil
    read = { object in (object as? Root).map { $0[keyPath: keyPath] } }
    super.init(keyPath: keyPath, ascending: ascending, comparator: { _, _ in .orderedSame })
  }

  override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
    let order: Int
    if let sortComparator {
      order = sortComparator(value(of: object1).anyValue ?? NSNull(), value(of: object2).anyValue ?? NSNull()).rawValue
    } else {
      order = compare(value(of: object1), value(of: object2))
    }
    return ComparisonResult(rawValue: ascending ? order : -order) ?? .orderedSame
  }

  private func value(of object: Any) -> Operand {
    if let read { return Operand(read(object)) }
    let path = NSExpression(forKeyPath: sortKey ?? "self")
    return (try? DynamicEvaluator(object: object, variables: [:]).value(of: path)) ?? .null
  }

  /// Absent values come first, as in a store.
  private func compare(_ a: Operand, _ b: Operand) -> Int {
    if a.isNull || b.isNull { return (a.isNull ? 0 : 1) - (b.isNull ? 0 : 1) }
    guard case .value(let left) = a, case .value(let right) = b else { return 0 }
    if let comparison = BoundSort.Comparison(selector: sortSelector?.name ?? "compare:"), let first = left.text,
      let second = right.text
    {
      let order = comparison.compare(first, second)
      return order < 0 ? -1 : order > 0 ? 1 : 0
    }
    return order(left, right) ?? 0
  }

  override var reversedSortDescriptor: Any {
    if let read { return KeyedSortDescriptor(reversing: self, read: read) }
    return KeyedSortDescriptor(key: sortKey, ascending: !ascending, selector: sortSelector, comparator: sortComparator)
  }

  private init(reversing other: KeyedSortDescriptor, read: @escaping (Any) -> Any?) {
    // The name is all that the original key path would be needed for.
    sortKey = other.key
    sortSelector = other.sortSelector
    sortComparator = nil
    self.read = read
    super.init(keyPath: \String.count, ascending: !other.ascending, comparator: { _, _ in .orderedSame })
  }

  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? KeyedSortDescriptor else { return false }
    if self === other { return true }
    return key == other.key && key != nil && ascending == other.ascending && sortSelector == other.sortSelector
      && sortComparator == nil && other.sortComparator == nil
  }

  override var hash: Int { (key ?? "").hashValue &+ (ascending ? 1 : 0) }

  override var description: String {
    "(\(key ?? "\(keyPath)"), \(ascending ? "ascending" : "descending"), \(sortSelector?.name ?? "closure"))"
  }
}

extension NSSortDescriptor {
  /// Whether a closure decides, rather than a named comparator.
  var hasOwnComparator: Bool { (self as? KeyedSortDescriptor)?.sortComparator != nil }
}

public import Foundation

/// Gives Foundation's sort descriptor the initialisers and the key it lacks on Linux: see `PredicateFactory`.
public protocol SortDescriptorFactory {}

extension NSSortDescriptor: SortDescriptorFactory {}

extension SortDescriptorFactory where Self: NSSortDescriptor {
  /// Sorts by the values at a key path: numbers by value, dates by time, strings by Unicode scalar.
  public init(key: String?, ascending: Bool) {
    self = KeyedSortDescriptor(key: key, ascending: ascending, selector: nil, comparator: nil) as! Self
  }

  /// Sorts by the values at a key path with a named comparator: `compare:`, `caseInsensitiveCompare:`,
  /// `localizedCompare:`, `localizedCaseInsensitiveCompare:` or `localizedStandardCompare:`.
  public init(key: String?, ascending: Bool, selector: Selector?) {
    self = KeyedSortDescriptor(key: key, ascending: ascending, selector: selector, comparator: nil) as! Self
  }

  /// Sorts by the values at a key path with a closure. Works in memory; stores refuse it.
  public init(key: String?, ascending: Bool, comparator: @escaping Comparator) {
    self = KeyedSortDescriptor(key: key, ascending: ascending, selector: nil, comparator: comparator) as! Self
  }

  /// Sorts by the property a key path leads to; its name must be known to `KeyPathNames` when a store sorts.
  public init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
    self = KeyedSortDescriptor(typed: keyPath, ascending: ascending) as! Self
  }

  /// The key path it sorts by; `nil` when nobody knows the name of a Swift key path it was made from.
  public var key: String? {
    (self as? KeyedSortDescriptor)?.sortKey ?? KeyPathNames.name(of: keyPath)
  }

  /// The named comparator.
  public var selector: Selector? {
    (self as? KeyedSortDescriptor)?.sortSelector
  }
}

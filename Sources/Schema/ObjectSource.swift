/// Where a predicate finds objects other than the one in hand: a store's view, or a context's pending changes laid
/// over it. The evaluator asks nothing else, so predicates mean the same in both.
public protocol ObjectSource: AnyObject {
  var schema: Schema { get }

  /// The row of an object, or `nil` if there is none.
  func row(for key: ObjectKey) throws(StoreError) -> Row?

  /// Schema index of the entity of an object. Known from the key alone: the object need not exist.
  func entityIndex(of key: ObjectKey) -> Int

  /// Calls `body` with each member of a to-many relationship, in order if it is ordered, until it returns false.
  func forEachMember(
    of key: ObjectKey, relationship property: Int, _ body: (ObjectKey) throws(StoreError) -> Bool
  ) throws(StoreError)

  /// How many members a to-many relationship has.
  func memberCount(of key: ObjectKey, relationship property: Int) throws(StoreError) -> Int
}

/// A set of property indexes.
public struct PropertySet: Sendable, Hashable {
  public private(set) var words: [UInt64]

  public init() { words = [] }
  public init(words: [UInt64]) { self.words = words }
  public init(_ properties: some Sequence<Int>) {
    words = []
    for property in properties { insert(property) }
  }

  public var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  public func contains(_ property: Int) -> Bool {
    property >> 6 < words.count && words[property >> 6] >> UInt64(property & 63) & 1 != 0
  }

  public mutating func insert(_ property: Int) {
    while words.count <= property >> 6 { words.append(0) }
    words[property >> 6] |= 1 << UInt64(property & 63)
  }

  public mutating func remove(_ property: Int) {
    if property >> 6 < words.count { words[property >> 6] &= ~(1 << UInt64(property & 63)) }
  }

  public var indexes: [Int] {
    words.indices.flatMap { word in (0..<64).filter { words[word] >> UInt64($0) & 1 != 0 }.map { word * 64 + $0 } }
  }
}

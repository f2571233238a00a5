/// Where a method puts a value for its caller: what `validate<Key>(_:)` of a managed object takes, as on Apple's platforms.
/// Foundation on Linux has no type of this name. Unlike there it is safe: a reference to a place that lives as long.
public struct AutoreleasingUnsafeMutablePointer<Pointee> {
  private final class Place {
    var value: Pointee
    var isWritten = false
    init(_ value: Pointee) { self.value = value }
  }

  private let place: Place

  /// A place of its own that holds a value.
  public init(holding value: Pointee) { place = Place(value) }

  /// The value there.
  public var pointee: Pointee {
    get { place.value }
    nonmutating set {
      place.value = newValue
      place.isWritten = true
    }
  }

  /// Whether anybody has put a value there.
  package var isWritten: Bool { place.isWritten }
}

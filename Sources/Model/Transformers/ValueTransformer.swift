public import Foundation
internal import Synchronization

/// Turns values into others, and back: what transformable attributes store their values with.
///
/// Foundation on Linux has no such class; this takes its place. Transformers are registered once and then used from any
/// thread: a subclass must not keep state that changes.
open class ValueTransformer: NSObject, @unchecked Sendable {
  // unchecked: subclasses promise to be free of changing state, as Foundation's do.

  private static let registry = Mutex<[NSValueTransformerName: ValueTransformer]>(standard)

  public override init() { super.init() }

  /// Registers a transformer; `nil` removes one. Any thread.
  open class func setValueTransformer(_ transformer: ValueTransformer?, forName name: NSValueTransformerName) {
    registry.withLock { $0[name] = transformer }
  }

  /// Names of all registered transformers, sorted.
  open class func valueTransformerNames() -> [NSValueTransformerName] {
    registry.withLock { $0.keys.sorted { $0.rawValue < $1.rawValue } }
  }

  /// Class of what `transformedValue` returns.
  open class func transformedValueClass() -> AnyClass { NSObject.self }

  /// Whether `reverseTransformedValue` works.
  open class func allowsReverseTransformation() -> Bool { false }

  /// The transformed value. Returns the value itself unless overridden.
  open func transformedValue(_ value: Any?) -> Any? { value }

  /// The value that transforms into this one. Stops the program where `allowsReverseTransformation` is false.
  open func reverseTransformedValue(_ value: Any?) -> Any? { transformedValue(value) }

  static func registered(_ name: NSValueTransformerName) -> ValueTransformer? { registry.withLock { $0[name] } }

  private static let standard: [NSValueTransformerName: ValueTransformer] = {
    let secure = NSSecureUnarchiveFromDataTransformer()
    var transformers: [NSValueTransformerName: ValueTransformer] = [
      .negateBooleanTransformerName: BooleanTransformer { value in
        !((value as? NSNumber)?.boolValue ?? (value as? Bool) ?? false)
      },
      .isNilTransformerName: BooleanTransformer { $0 == nil },
      .isNotNilTransformerName: BooleanTransformer { $0 != nil },
    ]
    // Models name the secure transformer by its name, its class and its constant.
    for name in [
      "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer", "NSSecureUnarchiveFromDataTransformerName",
      "NSUnarchiveFromData", "NSKeyedUnarchiveFromData",
    ] {
      transformers[NSValueTransformerName(name)] = secure
    }
    return transformers
  }()
}

/// Lets an initialiser return a transformer that exists already.
public protocol ValueTransformerFactory {}

extension ValueTransformer: ValueTransformerFactory {}

extension ValueTransformerFactory where Self: ValueTransformer {
  /// The transformer registered under a name; `nil` when there is none, or it is of another class.
  public init?(forName name: NSValueTransformerName) {
    guard let found = ValueTransformer.registered(name) as? Self else { return nil }
    self = found
  }
}

private final class BooleanTransformer: ValueTransformer, @unchecked Sendable {
  // unchecked: the closure is constant.
  private let body: @Sendable (Any?) -> Bool

  init(_ body: @escaping @Sendable (Any?) -> Bool) {
    self.body = body
    super.init()
  }

  override class func transformedValueClass() -> AnyClass { NSNumber.self }
  override func transformedValue(_ value: Any?) -> Any? { NSNumber(value: body(value)) }
}

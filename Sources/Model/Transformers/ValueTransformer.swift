public import Foundation
internal import Synchronization

/// Turns values into others, and back: what transformable attributes store their values with.
///
/// Foundation on Linux has no such class; this takes its place. Transformers are registered once and then used from any
/// thread: a subclass must not keep state that changes.
open class ValueTransformer: NSObject {
  private static let registry = Mutex<Registry>(Registry(transformers: standard()))

  // unchecked: transformers are used from any thread, as the documentation above asks; declaring the class itself
  // Sendable would ask every ported subclass to restate it.
  private struct Registry: @unchecked Sendable {
    var transformers: [NSValueTransformerName: ValueTransformer]
  }
  private struct Found: @unchecked Sendable { let transformer: ValueTransformer? }

  public override init() { super.init() }

  /// Registers a transformer; `nil` removes one. Any thread.
  open class func setValueTransformer(_ transformer: ValueTransformer?, forName name: NSValueTransformerName) {
    let found = Found(transformer: transformer)
    registry.withLock { $0.transformers[name] = found.transformer }
  }

  /// Names of all registered transformers, sorted.
  open class func valueTransformerNames() -> [NSValueTransformerName] {
    registry.withLock { $0.transformers.keys.sorted { $0.rawValue < $1.rawValue } }
  }

  /// Class of what `transformedValue` returns.
  open class func transformedValueClass() -> AnyClass { NSObject.self }

  /// Whether `reverseTransformedValue` works.
  open class func allowsReverseTransformation() -> Bool { false }

  /// The transformed value. Returns the value itself unless overridden.
  open func transformedValue(_ value: Any?) -> Any? { value }

  /// The value that transforms into this one. Stops the program where `allowsReverseTransformation` is false.
  open func reverseTransformedValue(_ value: Any?) -> Any? { transformedValue(value) }

  static func registered(_ name: NSValueTransformerName) -> ValueTransformer? {
    registry.withLock { Found(transformer: $0.transformers[name]) }.transformer
  }

  private static func standard() -> [NSValueTransformerName: ValueTransformer] {
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
  }
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

private final class BooleanTransformer: ValueTransformer {
  private let body: @Sendable (Any?) -> Bool

  init(_ body: @escaping @Sendable (Any?) -> Bool) {
    self.body = body
    super.init()
  }

  override class func transformedValueClass() -> AnyClass { NSNumber.self }
  override func transformedValue(_ value: Any?) -> Any? { NSNumber(value: body(value)) }
}

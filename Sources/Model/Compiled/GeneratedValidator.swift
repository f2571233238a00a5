/// A method `validate<Key>(_:)` of a managed class. Objective-C finds it by its name; here the code generator does.
public struct GeneratedValidator {
  /// The method's name after `validate`: the property's with a capital.
  package let suffix: String
  /// Whether a class is or inherits from the one that declares the method.
  package let serves: (AnyClass) -> Bool
  package let validate: (AnyObject, AutoreleasingUnsafeMutablePointer<AnyObject?>) throws -> Void

  /// What the generator writes.
  public init<Object: AnyObject>(
    _ suffix: String, _ type: Object.Type,
    _ validate: @escaping (Object, AutoreleasingUnsafeMutablePointer<AnyObject?>) throws -> Void
  ) {
    self.suffix = suffix
    serves = { $0 is Object.Type }
    self.validate = { object, value in
      if let object = object as? Object { try validate(object, value) }
    }
  }
}

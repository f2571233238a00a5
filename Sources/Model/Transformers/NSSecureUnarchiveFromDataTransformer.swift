internal import Foundation

/// Turns archived bytes into values of a few allowed classes, and back.
open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
  /// Classes that an archive may hold at its top and inside. Override it to allow your own.
  open class var allowedTopLevelClasses: [AnyClass] {
    [
      NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self, NSData.self, NSURL.self,
      NSUUID.self, NSNull.self,
    ]
  }

  open override class func transformedValueClass() -> AnyClass { NSObject.self }
  open override class func allowsReverseTransformation() -> Bool { true }

  /// The value in an archive; `nil` when it holds a class that isn't allowed, or is none.
  open override func transformedValue(_ value: Any?) -> Any? {
    guard let data = value as? Data else { return nil }
    let allowed: [AnyClass] = type(of: self).allowedTopLevelClasses
    guard ArchiveInspector.isArchive(data, of: allowed) else { return nil }
    return try? NSKeyedUnarchiver.unarchivedObject(ofClasses: allowed, from: data)
  }

  /// The archive of a value; `nil` when its class isn't allowed or can't be archived securely.
  open override func reverseTransformedValue(_ value: Any?) -> Any? {
    guard let value, let object = ArchivableValue.object(of: value) else { return nil }
    let isAllowed: Bool = type(of: self).allowedTopLevelClasses.contains { ArchivableValue.isKind(object, of: $0) }
    guard isAllowed, ArchiveInspector.name(of: type(of: object)) != nil else { return nil }
    return try? NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
  }
}

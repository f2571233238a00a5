internal import Foundation

/// Values as the objects that archives hold.
enum ArchivableValue {
  /// The object of a value, made of the Foundation classes throughout; `nil` for a value that has none.
  static func object(of value: Any) -> NSObject? {
    switch value {
    // What can change comes back so, and would pass for one of Swift's collections below.
    case let value as NSMutableArray: return array(of: value.map { $0 }).map { NSMutableArray(array: $0) }
    case let value as NSMutableDictionary:
      return dictionary(of: value as? [AnyHashable: Any] ?? [:]).map { $0.mutableCopy() as? NSObject ?? $0 }
    case let value as NSMutableSet: return array(of: value.map { $0 }).map { NSMutableSet(array: $0) }
    case let value as String: return NSString(string: value)
    case let value as [Any]: return array(of: value).map { NSArray(array: $0) }
    case let value as [AnyHashable: Any]: return dictionary(of: value)
    case let value as Set<AnyHashable>: return array(of: value.map(\.base)).map { NSSet(array: $0) }
    case let value as NSObject: return value
    case let value as Bool: return NSNumber(value: value)
    case let value as Int64: return NSNumber(value: value)
    case let value as any BinaryInteger: return Int64(exactly: value).map { NSNumber(value: $0) }
    case let value as Double: return NSNumber(value: value)
    case let value as Float: return NSNumber(value: value)
    case let value as Decimal: return NSDecimalNumber(decimal: value)
    case let value as Date: return NSDate(timeIntervalSinceReferenceDate: value.timeIntervalSinceReferenceDate)
    case let value as Data: return NSData(data: value)
    case let value as URL: return NSURL(string: value.absoluteString)
    case let value as UUID: return NSUUID(uuidString: value.uuidString)
    default: return nil
    }
  }

  static func isKind(_ object: NSObject, of wanted: AnyClass) -> Bool {
    guard let wanted = wanted as? NSObject.Type else { return false }
    return object.isKind(of: wanted)
  }

  private static func array(of values: [Any]) -> [NSObject]? {
    let objects: [NSObject] = values.compactMap { object(of: $0) }
    return objects.count == values.count ? objects : nil
  }

  private static func dictionary(of value: [AnyHashable: Any]) -> NSDictionary? {
    var objects: [NSObject: NSObject] = [:]
    for (key, item) in value {
      guard let key = object(of: key.base), let item = object(of: item) else { return nil }
      objects[key] = item
    }
    return NSDictionary(dictionary: objects)
  }
}

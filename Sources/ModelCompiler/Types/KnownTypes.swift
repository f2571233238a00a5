/// Types outside the target that properties of managed objects have, by their simple names: their module and kind are
/// part of every symbol that mentions them. On Linux Foundation's types live in two modules, and its old classes are
/// Swift classes.
enum KnownTypes {
  static func named(_ name: String, module: String? = nil) -> NominalType? {
    guard let type = table[name] else { return nil }
    switch module {
    case nil, type.module: return type
    // What users import re-exports the rest.
    case "Foundation" where type.module == "FoundationEssentials": return type
    case "CoreData", "Annals": return type.module == "ObjectGraph" || type.module == "Model" ? type : nil
    default: return nil
    }
  }

  /// Aliases that Foundation and the standard library declare.
  static let aliases: [String: WrittenType] = [
    "TimeInterval": .name(["Double"], arguments: []),
    "Float64": .name(["Double"], arguments: []),
    "Float32": .name(["Float"], arguments: []),
    "AnyClass": .other("AnyClass"),
    "NSRange": .name(["_NSRange"], arguments: []),
    "NSInteger": .name(["Int"], arguments: []),
  ]

  private static let table: [String: NominalType] = {
    var table: [String: NominalType] = [:]
    func add(_ module: String, _ kind: NominalType.Kind, _ names: String) {
      for name in names.split(separator: " ") { table[String(name)] = NominalType(module, String(name), kind) }
    }
    add(
      "Swift", .structure,
      """
      String Int Int8 Int16 Int32 Int64 UInt UInt8 UInt16 UInt32 UInt64 Double Float Bool Character Array Dictionary \
      Set AnyHashable Substring
      """)
    add(
      "FoundationEssentials", .structure,
      """
      Date Data UUID URL Decimal Locale TimeZone Calendar IndexPath DateComponents DateInterval AttributedString \
      URLComponents
      """)
    add(
      "Foundation", .structure,
      "IndexSet CharacterSet CGFloat CGPoint CGSize CGRect _NSRange Measurement Notification PersonNameComponents")
    add(
      "Foundation", .classType,
      """
      NSObject NSSet NSMutableSet NSCountedSet NSOrderedSet NSMutableOrderedSet NSArray NSMutableArray NSDictionary \
      NSMutableDictionary NSString NSMutableString NSNumber NSDecimalNumber NSValue NSData NSMutableData NSDate NSUUID \
      NSURL NSAttributedString NSMutableAttributedString NSIndexSet NSMutableIndexSet NSIndexPath NSNull NSError \
      NSLocale NSTimeZone NSCalendar NSDateComponents NSDateInterval NSPredicate NSSortDescriptor NSCharacterSet \
      NSMeasurement Unit Dimension NSRegularExpression NSPersonNameComponents NSNotification Progress
      """)
    add("ObjectGraph", .classType, "NSManagedObject NSManagedObjectID NSManagedObjectContext")
    add("Model", .classType, "NSEntityDescription NSManagedObjectModel")
    return table
  }()
}

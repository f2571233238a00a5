internal import Foundation

/// Looks at a keyed archive before it is unarchived: Foundation on Linux stops the program over a class that isn't
/// allowed, where it should return an error.
enum ArchiveInspector {
  /// Whether the data is a keyed archive all of whose classes are allowed, or derive from one that is.
  static func isArchive(_ data: Data, of allowed: [AnyClass]) -> Bool {
    guard let list = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any],
      let top = list["$top"] as? [String: Any], top[NSKeyedArchiveRootObjectKey] != nil,
      let objects = list["$objects"] as? [Any]
    else { return false }
    let names: Set<String> = Set(allowed.map { NSStringFromClass($0) })
    for object in objects {
      guard let fields = object as? [AnyHashable: Any], let name = fields["$classname"] else { continue }
      guard let name = name as? String, isAllowed(name, names) else { return false }
    }
    return true
  }

  private static func isAllowed(_ name: String, _ allowed: Set<String>) -> Bool {
    var current: AnyClass? = NSClassFromString(name)
    while let here = current {
      if allowed.contains(NSStringFromClass(here)) { return true }
      current = _getSuperclass(here)
    }
    return false
  }
}

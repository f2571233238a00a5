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
    let names: Set<String> = Set(allowed.compactMap { name(of: $0) })
    for object in objects {
      guard let fields = object as? [AnyHashable: Any], let name = fields["$classname"] else { continue }
      guard let name = name as? String, isAllowed(name, names) else { return false }
    }
    return true
  }

  /// The name of a class in archives; `nil` for one that is declared inside another type, which Foundation on Linux
  /// can't name and stops the program over.
  static func name(of type: AnyClass) -> String? {
    String(reflecting: type).count { $0 == "." } > 1 ? nil : NSStringFromClass(type)
  }

  private static func isAllowed(_ name: String, _ allowed: Set<String>) -> Bool {
    var current: AnyClass? = NSClassFromString(name)
    while let here = current {
      if let known = Self.name(of: here), allowed.contains(known) { return true }
      current = _getSuperclass(here)
    }
    return false
  }
}

/// A method that changes a to-many relationship, such as `addToTags(_:)`.
enum CollectionMethod {
  enum Shape: CaseIterable {
    case add, addAll, remove, removeAll
    case insert, insertAll, removeAt, removeAtIndexes, replace, replaceAll

    static let unordered: [Shape] = [.add, .remove, .addAll, .removeAll]
    static let ordered: [Shape] = [
      .insert, .removeAt, .insertAll, .removeAtIndexes, .replace, .replaceAll, .add, .remove, .addAll, .removeAll,
    ]

    var prefix: String {
      switch self {
      case .add, .addAll: "addTo"
      case .remove, .removeAll, .removeAt, .removeAtIndexes: "removeFrom"
      case .insert, .insertAll: "insertInto"
      case .replace, .replaceAll: "replace"
      }
    }

    var labels: [String?] {
      switch self {
      case .add, .addAll, .remove, .removeAll: [nil]
      case .insert, .insertAll: [nil, "at"]
      case .removeAt, .removeAtIndexes: ["at"]
      case .replace, .replaceAll: ["at", "with"]
      }
    }
  }

  /// `tags` → `addToTags`.
  static func name(_ shape: Shape, of relationship: String) -> String {
    shape.prefix + relationship.prefix(1).uppercased() + relationship.dropFirst()
  }

  /// The relationships that a method's name may mean.
  static func candidates(for method: ScannedMethod) -> [String] {
    var names: [String] = []
    for shape in Shape.allCases where method.name.hasPrefix(shape.prefix) {
      guard shape.labels == method.parameters.map(\.label) else { continue }
      let rest = String(method.name.dropFirst(shape.prefix.count))
      guard let first = rest.first else { continue }
      for name in [String(first).lowercased() + rest.dropFirst(), rest] where !names.contains(name) {
        names.append(name)
      }
    }
    return names
  }

  /// The shape that a method has, from its labels and types; nil when it is none.
  static func shape(of method: ScannedMethod, types: [SwiftType], isOrdered: Bool) -> Shape? {
    for shape in isOrdered ? Shape.ordered : Shape.unordered {
      guard method.name.hasPrefix(shape.prefix), shape.labels == method.parameters.map(\.label) else { continue }
      if fits(shape, types, isOrdered: isOrdered) { return shape }
    }
    return nil
  }

  private static func fits(_ shape: Shape, _ types: [SwiftType], isOrdered: Bool) -> Bool {
    switch shape {
    case .add, .remove: isObject(types[0])
    case .addAll, .removeAll: isCollection(types[0], isOrdered: isOrdered)
    case .insert: isObject(types[0]) && isNamed("Int", types[1])
    case .insertAll: isArray(types[0]) && isNamed("NSIndexSet", types[1])
    case .removeAt: isNamed("Int", types[0])
    case .removeAtIndexes: isNamed("NSIndexSet", types[0])
    case .replace: isNamed("Int", types[0]) && isObject(types[1])
    case .replaceAll: isNamed("NSIndexSet", types[0]) && isArray(types[1])
    }
  }

  private static func isNamed(_ name: String, _ type: SwiftType) -> Bool {
    if case .nominal(let nominal) = type { return nominal.path.count == 1 && nominal.path[0].name == name }
    return false
  }

  private static func isObject(_ type: SwiftType) -> Bool {
    guard case .nominal(let nominal) = type, nominal.kind == .classType else { return false }
    return nominal.module != "Foundation"
  }

  private static func isArray(_ type: SwiftType) -> Bool {
    if case .generic(let nominal, let arguments) = type, nominal.path[0].name == "Array" {
      return isObject(arguments[0])
    }
    return false
  }

  private static func isCollection(_ type: SwiftType, isOrdered: Bool) -> Bool {
    if isNamed(isOrdered ? "NSOrderedSet" : "NSSet", type) { return true }
    if !isOrdered, case .generic(let nominal, let arguments) = type, nominal.path[0].name == "Set" {
      return isObject(arguments[0])
    }
    return false
  }

  /// The statement that does what a method is for.
  /// - Parameters:
  ///   - arguments: the names of the method's parameters.
  ///   - set: what makes an `NSSet` of a bulk method's argument, which is a `Set`; nil where it is one already.
  static func body(
    _ shape: Shape, _ position: Int, arguments: [String], isOrdered: Bool, set: String? = nil
  ) -> String {
    let first = arguments[0]
    let ordered = isOrdered ? "Ordered" : ""
    let bulk = set.map { "\($0)(set: \(first))" } ?? first
    switch shape {
    case .add: return "_add(\(first), \(position))"
    case .remove: return "_remove(\(first), \(position))"
    case .addAll: return "_addAll\(ordered)(\(bulk), \(position))"
    case .removeAll: return "_removeAll\(ordered)(\(bulk), \(position))"
    case .insert: return "_insert(\(first), at: \(arguments[1]), \(position))"
    case .insertAll: return "_insertAll(\(first), at: \(arguments[1]), \(position))"
    case .removeAt: return "_removeMember(at: \(first), \(position))"
    case .removeAtIndexes: return "_removeMembers(at: \(first), \(position))"
    case .replace: return "_replaceMember(at: \(first), with: \(arguments[1]), \(position))"
    case .replaceAll: return "_replaceMembers(at: \(first), with: \(arguments[1]), \(position))"
    }
  }
}

/// The types that a module declares, and how written names are looked up in it.
public struct TypeTable {
  struct Declared {
    let type: NominalType
    let access: AccessLevel
    let isGeneric: Bool
    let location: SourceLocation?
    let aliased: WrittenType?
    let inheritance: [WrittenType]
    let isProtocol: Bool
    /// The conditional compilation around it, as one condition.
    let condition: String?
  }

  let module: String
  /// The modules that this one depends on, as far as their sources are at hand.
  let dependencies: [TypeTable]
  /// Protocols that extensions add, by the type's path.
  private var conformances: [String: Set<String>] = [:]
  /// By path, such as `Outer.Inner`.
  private(set) var declared: [String: Declared] = [:]

  /// - Parameters:
  ///   - sources: every file of the module that may declare a type.
  ///   - dependencies: modules that its types may come from besides.
  public init(module: String, sources: [ScannedSource], dependencies: [TypeTable] = []) {
    self.module = module
    self.dependencies = dependencies
    var declarations: [ScannedType] = sources.flatMap(\.types).filter { $0.kind != .extension }
    // Outer types first, so that an inner one finds the kind of what it is in.
    declarations.sort { $0.path.count < $1.path.count }
    for declaration in declarations { add(declaration) }
    for declaration in sources.flatMap(\.types) {
      let names = declaration.inheritance.map(\.description)
      conformances[declaration.path.joined(separator: "."), default: []].formUnion(names)
    }
  }

  /// Whether a declaration or extension in this module says that a type conforms.
  func declaresConformance(to name: String, _ type: NominalType) -> Bool {
    guard let names = conformances[type.path.map(\.name).joined(separator: ".")] else { return false }
    return names.contains(name) || names.contains("Swift.\(name)")
  }

  private mutating func add(_ declaration: ScannedType) {
    let key = declaration.path.joined(separator: ".")
    // Two branches of a condition may declare the same name; the first stands for both.
    guard declared[key] == nil else { return }
    let kind: NominalType.Kind
    switch declaration.kind {
    case .struct: kind = .structure
    case .enum: kind = .enumeration
    default: kind = .classType
    }
    var path: [NominalType.Component] = []
    for count in 1..<declaration.path.count where declaration.path.count > 1 {
      let outer = Array(declaration.path.prefix(count))
      let outerKind = declared[outer.joined(separator: ".")]?.type.kind ?? .structure
      path.append(NominalType.Component(outer[count - 1], outerKind))
    }
    path.append(NominalType.Component(declaration.path[declaration.path.count - 1], kind))
    declared[key] = Declared(
      type: NominalType(module: module, path: path), access: declaration.access, isGeneric: declaration.isGeneric,
      location: declaration.location, aliased: declaration.aliased, inheritance: declaration.inheritance,
      isProtocol: declaration.kind == .protocol, condition: declaration.condition)
  }

  /// Makes a class known that no source declares, because it is being generated.
  mutating func add(generatedClass name: String, access: AccessLevel) {
    declared[name] = Declared(
      type: NominalType(module, name, .classType), access: access, isGeneric: false, location: nil, aliased: nil,
      inheritance: [], isProtocol: false, condition: nil)
  }

  /// The declaration that `names` means inside of `scope`, innermost first.
  func find(_ names: [String], in scope: [String]) -> Declared? {
    var names = names
    if names.count > 1, names[0] == module, declared[names[0]] == nil { names.removeFirst() }
    for depth in stride(from: scope.count, through: 0, by: -1) {
      if let found = declared[(scope.prefix(depth) + names).joined(separator: ".")] { return found }
    }
    return nil
  }

  /// The type that a written one means.
  /// - Parameter scope: The path of the type around it.
  public func resolve(_ written: WrittenType, in scope: [String]) throws(TypeProblem) -> SwiftType {
    try resolve(written, in: scope, aliasDepth: 0)
  }

  private func resolve(
    _ written: WrittenType, in scope: [String], aliasDepth: Int
  ) throws(TypeProblem) -> SwiftType {
    switch written {
    case .optional(let wrapped):
      return .optional(try resolve(wrapped, in: scope, aliasDepth: aliasDepth))
    case .array(let element):
      return .generic(
        NominalType("Swift", "Array", .structure), [try resolve(element, in: scope, aliasDepth: aliasDepth)])
    case .dictionary(let key, let value):
      let arguments: [SwiftType] = [
        try resolve(key, in: scope, aliasDepth: aliasDepth), try resolve(value, in: scope, aliasDepth: aliasDepth),
      ]
      return .generic(NominalType("Swift", "Dictionary", .structure), arguments)
    case .other(let text):
      throw TypeProblem("the type '\(text)' is not one that a managed object can have")
    case .name(let names, let arguments):
      return try resolve(names, arguments, in: scope, aliasDepth: aliasDepth)
    }
  }

  private func resolve(
    _ names: [String], _ arguments: [WrittenType], in scope: [String], aliasDepth: Int
  ) throws(TypeProblem) -> SwiftType {
    let name = names.joined(separator: ".")
    guard aliasDepth < 32 else { throw TypeProblem("the alias '\(name)' stands for itself") }
    if let found = find(names, in: scope) {
      if let aliased = found.aliased {
        return try resolve(aliased, in: found.type.path.dropLast().map(\.name), aliasDepth: aliasDepth + 1)
      }
      if found.isProtocol { throw TypeProblem("'\(name)' is a protocol; a managed object's property needs a class") }
      return try apply(arguments, to: found.type, in: scope, aliasDepth: aliasDepth)
    }
    let isQualified = names.count > 1
    let last = names[names.count - 1]
    if let aliased = KnownTypes.aliases[last] { return try resolve(aliased, in: [], aliasDepth: aliasDepth + 1) }
    if name == "Any" || name == "Swift.Any" { return .any }
    if name == "AnyObject" || name == "Swift.AnyObject" { return .anyObject }
    if names.count <= 2, let known = KnownTypes.named(last, module: isQualified ? names[0] : nil) {
      return try apply(arguments, to: known, in: scope, aliasDepth: aliasDepth)
    }
    if let (table, found) = imported(names) {
      if let aliased = found.aliased {
        return try table.resolve(aliased, in: found.type.path.dropLast().map(\.name), aliasDepth: aliasDepth + 1)
      }
      if found.isProtocol { throw TypeProblem("'\(name)' is a protocol; a managed object's property needs a class") }
      return try apply(arguments, to: found.type, in: scope, aliasDepth: aliasDepth)
    }
    throw TypeProblem(
      "the type '\(name)' is neither declared in this target, nor public in a target of the package that it depends on, "
        + "nor one of Foundation's: declare it here, or use one that is")
  }

  /// A declaration that another module shows.
  private func imported(_ names: [String]) -> (TypeTable, Declared)? {
    for table in dependencies {
      let path: [String] = names.count > 1 && names[0] == table.module ? Array(names.dropFirst()) : names
      guard let found = table.declared[path.joined(separator: ".")] else { continue }
      let access: AccessLevel = found.aliased == nil ? table.access(of: found.type) : found.access
      if access >= .package { return (table, found) }
    }
    return nil
  }

  private func apply(
    _ arguments: [WrittenType], to type: NominalType, in scope: [String], aliasDepth: Int
  ) throws(TypeProblem) -> SwiftType {
    if arguments.isEmpty { return .nominal(type) }
    var resolved: [SwiftType] = []
    for argument in arguments { resolved.append(try resolve(argument, in: scope, aliasDepth: aliasDepth)) }
    return .generic(type, resolved)
  }

  /// How far a type can be seen: no further than what it is made of.
  func access(of type: SwiftType) -> AccessLevel {
    switch type {
    case .any, .anyObject: return .open
    case .optional(let wrapped): return access(of: wrapped)
    case .nominal(let nominal): return access(of: nominal)
    case .generic(let nominal, let arguments):
      return arguments.reduce(access(of: nominal)) { min($0, access(of: $1)) }
    }
  }

  func access(of nominal: NominalType) -> AccessLevel {
    guard nominal.module == module else { return .open }
    var access: AccessLevel = .open
    for count in 1...nominal.path.count {
      let key = nominal.path.prefix(count).map(\.name).joined(separator: ".")
      access = min(access, declared[key]?.access ?? .internal)
    }
    return access
  }

  /// The superclass that a class of this module declares, when it is one of this module or the graph's.
  func superclass(of nominal: NominalType) -> NominalType? {
    guard nominal.module == module, let found = declared[nominal.path.map(\.name).joined(separator: ".")] else {
      return nil
    }
    for written in found.inheritance {
      guard case .name(let names, _) = written,
        let type = try? resolve(.name(names, arguments: []), in: nominal.path.dropLast().map(\.name)),
        case .nominal(let candidate) = type, candidate.kind == .classType
      else { continue }
      return candidate
    }
    return nil
  }
}

/// Why a written type cannot be used.
public struct TypeProblem: Error, Sendable {
  public let message: String
  init(_ message: String) { self.message = message }
}

/// A resolved Swift type, as far as properties of managed objects need types: what a symbol's name is made of.
public indirect enum SwiftType: Hashable, Sendable {
  case nominal(NominalType)
  case generic(NominalType, [SwiftType])
  case optional(SwiftType)
  /// `Any`.
  case any
  case anyObject

  /// The type without its optional wrappers.
  public var unwrapped: SwiftType {
    if case .optional(let wrapped) = self { return wrapped.unwrapped }
    return self
  }

  public var isOptional: Bool {
    if case .optional = self { return true }
    return false
  }
}

/// A class, structure or enumeration by its full name.
public struct NominalType: Hashable, Sendable {
  public enum Kind: String, Sendable {
    case structure = "V"
    case enumeration = "O"
    case classType = "C"
  }

  public struct Component: Hashable, Sendable {
    public let name: String
    public let kind: Kind
    public init(_ name: String, _ kind: Kind) {
      self.name = name
      self.kind = kind
    }
  }

  public let module: String
  /// From the outermost type to the type itself.
  public let path: [Component]

  public init(module: String, path: [Component]) {
    self.module = module
    self.path = path
  }

  public init(_ module: String, _ name: String, _ kind: Kind) {
    self.init(module: module, path: [Component(name, kind)])
  }

  /// The type as source code names it, with its module only when it is asked for.
  public func sourceName(qualified: Bool = false) -> String {
    let names: [String] = path.map { escaped($0.name) }
    return (qualified ? [escaped(module)] + names : names).joined(separator: ".")
  }

  public var kind: Kind { path[path.count - 1].kind }
  var outer: NominalType? { path.count > 1 ? NominalType(module: module, path: Array(path.dropLast())) : nil }
}

extension SwiftType: CustomStringConvertible {
  /// The type as source code, without modules: for declarations next to the classes and for messages.
  public var description: String { spelled { $0.sourceName() } }

  /// The type as source code, with every nominal type's name made by `name`.
  public func spelled(_ name: (NominalType) -> String) -> String {
    switch self {
    case .nominal(let type): return name(type)
    case .optional(let wrapped): return wrapped.spelled(name) + "?"
    case .any: return "Any"
    case .anyObject: return "AnyObject"
    case .generic(let type, let arguments):
      let parts: [String] = arguments.map { $0.spelled(name) }
      if type.module == "Swift", type.path[0].name == "Array", parts.count == 1 { return "[\(parts[0])]" }
      if type.module == "Swift", type.path[0].name == "Dictionary", parts.count == 2 {
        return "[\(parts[0]): \(parts[1])]"
      }
      return "\(name(type))<\(parts.joined(separator: ", "))>"
    }
  }
}

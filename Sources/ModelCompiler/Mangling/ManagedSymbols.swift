/// The symbols that an `@NSManaged` declaration leaves for generated code to define.
public struct ManagedSymbols {
  let types: TypeTable

  /// - Parameter types: the types of the module that the declarations are in.
  public init(types: TypeTable) { self.types = types }

  /// The class that a declaration or extension is about, if this module declares it.
  public func owner(of declaration: ScannedType) -> NominalType? {
    types.find(declaration.path, in: [])?.type
  }

  func name(_ name: String, access: AccessLevel, location: SourceLocation, owner: NominalType) -> MemberName {
    // Members of private types are not named after their file, only those that are private themselves.
    let isPrivate = access < .internal
    let fileName = location.path.split(separator: "/").last.map(String.init) ?? location.path
    return MemberName(
      owner: owner, name: name,
      privateDiscriminator: isPrivate
        ? MemberName.privateDiscriminator(module: types.module, fileName: fileName) : nil)
  }

  /// A property's getter and setter.
  public func accessors(
    of property: ScannedProperty, in owner: NominalType
  ) throws(TypeProblem) -> (getter: String, setter: String, type: SwiftType) {
    let type = try types.resolve(property.type, in: owner.path.map(\.name))
    let name = name(property.name, access: property.access, location: property.location, owner: owner)
    return (SymbolMangler.getter(of: name, type: type), SymbolMangler.setter(of: name, type: type), type)
  }

  /// A method's symbol and its parameters' types.
  public func method(
    _ method: ScannedMethod, in owner: NominalType
  ) throws(TypeProblem) -> (symbol: String, types: [SwiftType]) {
    var parameters: [(label: String?, type: SwiftType)] = []
    for parameter in method.parameters {
      parameters.append((parameter.label, try types.resolve(parameter.type, in: owner.path.map(\.name))))
    }
    let name = name(method.name, access: method.access, location: method.location, owner: owner)
    return (SymbolMangler.method(name, parameters: parameters), parameters.map(\.type))
  }
}

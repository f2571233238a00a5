internal import Model

/// Writes the bodies of `@NSManaged` members: functions under the symbols that the compiler expects.
struct ManagedMemberWriter {
  var plan: ModulePlan
  private var names: Set<String> = []

  init(plan: ModulePlan) { self.plan = plan }

  mutating func text(of managed: ManagedClass) -> SourceText {
    var text = SourceText()
    let members = managed.declarations.flatMap { declaration in
      declaration.properties.map(Member.property) + declaration.methods.map(Member.method)
    }
    guard !members.isEmpty else { return text }
    guard managed.access >= .internal else {
      plan.report(
        .error,
        "the class '\(managed.name)' is private, so that its @NSManaged members cannot be supplied from another file: "
          + "make it internal",
        at: managed.declarations.first?.location)
      return text
    }
    if let generic = genericType(around: managed.type) {
      plan.report(
        .error,
        "'\(generic)' is generic, so that the @NSManaged members of '\(managed.name)' cannot be supplied: declare them in "
          + "a class that is not, and inherit from it",
        at: managed.declarations.first?.location)
      return text
    }
    text.add("// What \(managed.name) declares as @NSManaged.")
    text.add("nonisolated extension \(managed.type.sourceName()) {")
    for member in members { add(member, of: managed, to: &text) }
    text.add("}")
    text.add()
    return text
  }

  /// The type itself, or the first of those around it, that has parameters.
  private func genericType(around type: NominalType) -> String? {
    for count in 1...type.path.count {
      let names: [String] = type.path.prefix(count).map(\.name)
      if plan.types.find(names, in: [])?.isGeneric == true { return names.joined(separator: ".") }
    }
    return nil
  }

  private enum Member {
    case property(ScannedProperty)
    case method(ScannedMethod)

    var condition: String? {
      switch self {
      case .property(let property): property.condition
      case .method(let method): method.condition
      }
    }

    var location: SourceLocation {
      switch self {
      case .property(let property): property.location
      case .method(let method): method.location
      }
    }
  }

  private mutating func add(_ member: Member, of managed: ManagedClass, to text: inout SourceText) {
    var lines = SourceText()
    do throws(TypeProblem) {
      switch member {
      case .property(let property): try add(property, of: managed, to: &lines)
      case .method(let method): try add(method, of: managed, to: &lines)
      }
    } catch {
      // Code that this platform never compiles may be wrong here.
      if member.condition == nil {
        plan.report(.error, error.message, at: member.location)
      } else {
        lines = SourceText()
        lines.add("  #error(\"\(error.message.replacingQuotes)\")")
      }
    }
    text.add(lines, under: member.condition)
  }

  /// A name for a function that no other extension of the class or its relatives has.
  private mutating func functionName(_ kind: String, _ name: String, of managed: ManagedClass) -> String {
    let path = managed.type.path.map(\.name).joined(separator: "_")
    let base = "_annals_\(kind)_\(plan.module)_\(path)_\(name)"
    var candidate = base
    var number = 2
    while !names.insert(candidate).inserted {
      candidate = "\(base)_\(number)"
      number += 1
    }
    return candidate
  }

  // MARK: Properties

  private mutating func add(
    _ property: ScannedProperty, of managed: ManagedClass, to text: inout SourceText
  ) throws(TypeProblem) {
    let symbols = ManagedSymbols(types: plan.types)
    let fullName = "\(managed.name).\(property.name)"
    let accessors: (getter: String, setter: String, type: SwiftType)
    do { accessors = try symbols.accessors(of: property, in: managed.type) } catch {
      throw TypeProblem("'\(fullName)': \(error.message)")
    }
    let access = try propertyAccess(property, accessors.type, of: managed)
    let visible = min(property.access, managed.access, plan.types.access(of: accessors.type))
    let word = visible >= .public ? "public " : ""
    text.use(accessors.type, isPublic: visible >= .public, in: plan.module)
    let type = plan.spelled(accessors.type)
    let getter = functionName("get", property.name, of: managed)
    let setter = functionName("set", property.name, of: managed)
    text.add("  @_silgen_name(\"\(accessors.getter)\")")
    text.add("  dynamic \(word)func \(getter)() -> \(type) { \(access.getter) }")
    text.add("  @_silgen_name(\"\(accessors.setter)\")")
    text.add("  dynamic \(word)func \(setter)(_ newValue: consuming \(type)) { \(access.setter) }")
  }

  private func propertyAccess(
    _ property: ScannedProperty, _ type: SwiftType, of managed: ManagedClass
  ) throws(TypeProblem) -> PropertyAccess {
    let fullName = "\(managed.name).\(property.name)"
    let served = plan.servedEntities(managed)
    if served.isEmpty {
      if let access = PropertyAccess.named(property.name, type: type, plan: plan) { return access }
      throw TypeProblem("'\(fullName)' cannot be of type '\(type)'")
    }
    try checkEnumeration(fullName, type)
    let describing = served.filter { $0.schema.propertyIndexByName[property.name] != nil }
    if describing.isEmpty, let primitive = primitiveName(property.name, served),
      let access = PropertyAccess.primitive(primitive, type: type, plan: plan)
    {
      return access
    }
    if let lacking = served.first(where: { $0.schema.propertyIndexByName[property.name] == nil }) {
      throw TypeProblem(missing(property.name, fullName, lacking))
    }
    var result: PropertyAccess?
    for entity in describing {
      guard let index = entity.schema.propertyIndexByName[property.name],
        let position = managed.layout?[property.name]
      else { continue }
      let described = entity.property(index)
      guard let access = PropertyAccess.make(described, type: type, position: position, plan: plan) else {
        let place = entity.location(ofProperty: index)
        throw TypeProblem(
          "'\(fullName)' is declared as '\(property.type)', but the model '\(entity.file.name)' has it as "
            + "\(plan.words(for: described)) (\(place.path):\(place.line)): \(advice(for: described))")
      }
      result = access
    }
    if let result { return result }
    throw TypeProblem("'\(fullName)' has no place in the model")
  }

  private func checkEnumeration(_ fullName: String, _ type: SwiftType) throws(TypeProblem) {
    guard case .nominal(let nominal) = type.unwrapped,
      nominal.module == plan.module || plan.types.dependencies.contains(where: { $0.module == nominal.module })
    else { return }
    if nominal.kind == .enumeration {
      throw TypeProblem(
        "'\(fullName)' is of the enumeration '\(nominal.sourceName())', which @NSManaged cannot hold: declare the raw "
          + "value as @NSManaged, and a computed property that converts it")
    }
    if nominal.kind == .structure {
      throw TypeProblem(
        "'\(fullName)' is of the structure '\(nominal.sourceName())', which @NSManaged cannot hold: use a class with a "
          + "value transformer, or a computed property over a value that the model knows")
    }
  }

  /// `primitiveTitle` → `title`, if the model has that.
  private func primitiveName(_ name: String, _ served: [PlannedEntity]) -> String? {
    guard name.hasPrefix("primitive"), name.count > 9 else { return nil }
    let rest = String(name.dropFirst(9))
    let candidates: [String] = [rest.prefix(1).lowercased() + rest.dropFirst(), rest]
    return candidates.first { candidate in
      served.allSatisfy { $0.schema.propertyIndexByName[candidate] != nil }
    }
  }

  private func missing(_ name: String, _ fullName: String, _ entity: PlannedEntity) -> String {
    let place = entity.location
    let close =
      entity.schema.properties.map(\.name).first { $0.lowercased() == name.lowercased() }
      ?? entity.schema.properties.map(\.name).first { isClose($0, name) }
    return "'\(fullName)' is @NSManaged, but the entity '\(entity.name)' of the model '\(entity.file.name)' "
      + "(\(place.path):\(place.line)) has no property '\(name)'"
      + (close.map { "; did you mean '\($0)'?" } ?? ": add it to the model, or remove @NSManaged")
  }

  /// Whether two names differ by one letter left out, put in or changed.
  private func isClose(_ left: String, _ right: String) -> Bool {
    let (a, b) = (Array(left), Array(right))
    guard abs(a.count - b.count) <= 1 else { return false }
    let prefix = zip(a, b).prefix { $0 == $1 }.count
    let suffix = zip(a.dropFirst(prefix).reversed(), b.dropFirst(prefix).reversed()).prefix { $0 == $1 }.count
    return max(a.count, b.count) - prefix - suffix <= 1
  }

  private func advice(for property: NSPropertyDescription) -> String {
    guard let type = try? plan.generatedType(of: property) else { return "change one of them" }
    if let attribute = property as? NSAttributeDescription, !attribute.usesScalarValueType,
      let scalar = ModulePlan.scalar(attribute.attributeType),
      scalar != "Double" || attribute.attributeType == .doubleAttributeType
    {
      return "declare it as '\(scalar)' or '\(type)'"
    }
    return "declare it as '\(type)'"
  }

  // MARK: Methods

  private mutating func add(
    _ method: ScannedMethod, of managed: ManagedClass, to text: inout SourceText
  ) throws(TypeProblem) {
    let fullName = "\(managed.name).\(method.fullName)"
    let resolved: (symbol: String, types: [SwiftType])
    do { resolved = try ManagedSymbols(types: plan.types).method(method, in: managed.type) } catch {
      throw TypeProblem("'\(fullName)': \(error.message)")
    }
    let names = method.parameters.indices.map { "argument\($0)" }
    let body = try methodBody(method, resolved.types, arguments: names, of: managed, fullName)
    var visible = min(method.access, managed.access)
    for type in resolved.types { visible = min(visible, plan.types.access(of: type)) }
    for type in resolved.types { text.use(type, isPublic: visible >= .public, in: plan.module) }
    let parameters = zip(names, resolved.types).map { "_ \($0): \(plan.spelled($1))" }.joined(separator: ", ")
    let name = functionName("do", method.name, of: managed)
    text.add("  @_silgen_name(\"\(resolved.symbol)\")")
    text.add("  dynamic \(visible >= .public ? "public " : "")func \(name)(\(parameters)) { \(body) }")
  }

  private func methodBody(
    _ method: ScannedMethod, _ types: [SwiftType], arguments: [String], of managed: ManagedClass, _ fullName: String
  ) throws(TypeProblem) -> String {
    guard !method.returnsValue else {
      throw TypeProblem(
        "'\(fullName)' returns a value: @NSManaged methods change to-many relationships and return none")
    }
    let served = plan.servedEntities(managed)
    guard let entity = served.first else {
      return try bodyByName(method, types, arguments: arguments, fullName)
    }
    for name in CollectionMethod.candidates(for: method) {
      guard let index = entity.schema.propertyIndexByName[name], let position = managed.layout?[name],
        let relationship = entity.property(index) as? NSRelationshipDescription, relationship.isToMany
      else { continue }
      if let shape = CollectionMethod.shape(of: method, types: types, isOrdered: relationship.isOrdered) {
        return CollectionMethod.body(
          shape, position, arguments: arguments, isOrdered: relationship.isOrdered,
          set: isTypedSet(types) ? plan.spelled("NSSet") : nil)
      }
      throw TypeProblem(
        "'\(fullName)' does not fit the \(relationship.isOrdered ? "ordered" : "unordered") to-many relationship "
          + "'\(entity.name).\(name)': its parameters are those of another kind of accessor")
    }
    throw TypeProblem(
      "'\(fullName)' is @NSManaged, but the entity '\(entity.name)' of the model '\(entity.file.name)' has no to-many "
        + "relationship that it could change")
  }

  private func isTypedSet(_ types: [SwiftType]) -> Bool {
    if case .generic(let nominal, _) = types.first { return nominal.path[0].name == "Set" }
    return false
  }

  /// The body for a class that no model in the target describes.
  private func bodyByName(
    _ method: ScannedMethod, _ types: [SwiftType], arguments: [String], _ fullName: String
  ) throws(TypeProblem) -> String {
    guard let name = CollectionMethod.candidates(for: method).first else {
      throw TypeProblem("'\(fullName)' is named like no accessor of a to-many relationship")
    }
    for ordered in [false, true] {
      guard let shape = CollectionMethod.shape(of: method, types: types, isOrdered: ordered) else { continue }
      let set = "mutableSetValue(forKey: \"\(name)\")"
      let list = "mutableOrderedSetValue(forKey: \"\(name)\")"
      let first = arguments[0]
      switch shape {
      case .add: return "_change(\"\(name)\", adding: \(first))"
      case .remove: return "_change(\"\(name)\", removing: \(first))"
      case .addAll where ordered: return "for member in \(first) { \(list).add(member) }"
      case .removeAll where ordered: return "for member in \(first) { \(list).remove(member) }"
      case .addAll: return "for member in \(first) { \(set).add(member) }"
      case .removeAll: return "for member in \(first) { \(set).remove(member) }"
      case .insert: return "\(list).insert(\(first), at: \(arguments[1]))"
      case .insertAll: return "\(list).insert(\(first), at: \(arguments[1]) as \(plan.spelled("IndexSet")))"
      case .removeAt: return "\(list).removeObject(at: \(first))"
      case .removeAtIndexes: return "\(list).removeObjects(at: \(first) as \(plan.spelled("IndexSet")))"
      case .replace: return "\(list).replaceObject(at: \(first), with: \(arguments[1]))"
      case .replaceAll:
        return "\(list).replaceObjects(at: \(first) as \(plan.spelled("IndexSet")), with: \(arguments[1]))"
      }
    }
    throw TypeProblem("'\(fullName)' has the parameters of no accessor of a to-many relationship")
  }
}

extension String {
  fileprivate var replacingQuotes: String {
    String(map { $0 == "\"" || $0 == "\\" ? "'" : $0 })
  }
}

internal import Model

/// Writes what Xcode's Codegen writes for an entity: the class with its fetch request, or only an extension with its
/// properties.
struct ClassWriter {
  var plan: ModulePlan

  mutating func text(of managed: ManagedClass, _ entity: PlannedEntity) -> SourceText {
    var text = SourceText()
    if managed.mode == .generated { addClass(managed, entity, to: &text) }
    addExtension(managed, entity, to: &text)
    if !isIdentifiable(managed) {
      text.add("nonisolated extension \(managed.type.sourceName()): \(plan.spelled("Identifiable")) {}")
      text.add()
    }
    return text
  }

  private func addClass(_ managed: ManagedClass, _ entity: PlannedEntity, to text: inout SourceText) {
    let superclass = managed.superclass.map { $0.sourceName() } ?? plan.spelled("NSManagedObject")
    text.add("/// An object of the entity \(entity.name).")
    text.add("nonisolated \(word(managed.access))class \(escaped(managed.name)): \(superclass) {}")
    if managed.access >= .public, managed.superclass == nil {
      text.show(NominalType("ObjectGraph", "NSManagedObject", .classType))
    }
    text.add()
  }

  private mutating func addExtension(_ managed: ManagedClass, _ entity: PlannedEntity, to text: inout SourceText) {
    let declared: Set<String> = Set(managed.declarations.flatMap { $0.properties.map(\.name) })
    let properties = plan.generatedProperties(of: managed, entity).filter { !declared.contains($0.name) }
    text.add("nonisolated extension \(managed.type.sourceName()) {")
    addFetchRequest(managed, entity, to: &text)
    for property in properties {
      let access = min(managed.access, plan.types.access(of: property.type), .public)
      text.use(property.type, isPublic: access >= .public, in: plan.module)
      text.add()
      text.add("  \(word(access))var \(escaped(property.name)): \(plan.spelledType(of: property)) {")
      text.add("    get { \(property.access.getter) }")
      text.add("    set { \(property.access.setter) }")
      text.add("  }")
    }
    for property in properties { addMethods(of: property, managed, entity, to: &text) }
    text.add("}")
    text.add()
  }

  private func addFetchRequest(_ managed: ManagedClass, _ entity: PlannedEntity, to text: inout SourceText) {
    let access = min(managed.access, .public)
    let name = managed.type.sourceName()
    text.add("  /// A request for objects of the entity \(entity.name).")
    let request = plan.spelled(.nominal(NominalType("ObjectGraph", "NSFetchRequest", .classType)))
    text.add("  @nonobjc \(word(access))class func fetchRequest() -> \(request)<\(name)> {")
    text.add("    \(request)<\(name)>(entityName: \"\(entity.name)\")")
    text.add("  }")
    if access >= .public { text.show(NominalType("ObjectGraph", "NSFetchRequest", .classType)) }
  }

  private func addMethods(
    of property: GeneratedProperty, _ managed: ManagedClass, _ entity: PlannedEntity, to text: inout SourceText
  ) {
    guard let relationship = entity.description.propertiesByName[property.name] as? NSRelationshipDescription,
      relationship.isToMany, let position = managed.layout?[property.name]
    else { return }
    let member: SwiftType = .nominal(plan.objectType(of: relationship))
    let ordered = relationship.isOrdered
    let access = min(managed.access, plan.types.access(of: member), .public)
    let existing: Set<String> = Set(managed.declarations.flatMap { $0.methods.map(\.fullName) })
    for shape in ordered ? CollectionMethod.Shape.ordered : CollectionMethod.Shape.unordered {
      let name = CollectionMethod.name(shape, of: property.name)
      let fullName = "\(name)(\(shape.labels.map { ($0 ?? "_") + ":" }.joined()))"
      if existing.contains(fullName) { continue }
      let types = parameterTypes(shape, member: member, ordered: ordered)
      let names = shape.labels.indices.map { "argument\($0)" }
      var parameters: [String] = []
      for (index, label) in shape.labels.enumerated() {
        parameters.append("\(label ?? "_") \(names[index]): \(plan.spelled(types[index]))")
        if access >= .public { text.show(types[index]) }
      }
      let body = CollectionMethod.body(shape, position, arguments: names, isOrdered: ordered)
      text.add()
      text.add("  \(word(access))func \(name)(\(parameters.joined(separator: ", "))) { \(body) }")
    }
  }

  private func parameterTypes(_ shape: CollectionMethod.Shape, member: SwiftType, ordered: Bool) -> [SwiftType] {
    let integer: SwiftType = .nominal(NominalType("Swift", "Int", .structure))
    let indexes: SwiftType = .nominal(NominalType("Foundation", "NSIndexSet", .classType))
    let array: SwiftType = .generic(NominalType("Swift", "Array", .structure), [member])
    switch shape {
    case .add, .remove: return [member]
    case .addAll, .removeAll:
      return [.nominal(NominalType("Foundation", ordered ? "NSOrderedSet" : "NSSet", .classType))]
    case .insert: return [member, integer]
    case .insertAll: return [array, indexes]
    case .removeAt: return [integer]
    case .removeAtIndexes: return [indexes]
    case .replace: return [integer, member]
    case .replaceAll: return [indexes, array]
    }
  }

  /// Whether the class or one above it conforms already: conforming twice is an error.
  private func isIdentifiable(_ managed: ManagedClass) -> Bool {
    let lineage = plan.lineage(of: managed)
    if lineage.dropFirst().contains(where: { $0.mode != .handWritten }) { return true }
    if let outside = lineage.last?.superclass, outside.module != plan.module, outside.module != "ObjectGraph" {
      return true
    }
    return lineage.contains { plan.types.declaresConformance(to: "Identifiable", $0.type) }
  }

  private func word(_ access: AccessLevel) -> String { access >= .public ? "public " : "" }
}

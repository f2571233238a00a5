internal import Schema

/// The positions that accessors pass to the graph.
extension ModulePlan {
  /// Gives every class positions for its properties. They are those of the schema where all entities that a class
  /// serves agree; otherwise the classes of the whole family count by a list of their own, which the graph maps.
  mutating func assignLayouts() {
    var families: [String: [String]] = [:]
    for planned in sortedClasses {
      let root = lineage(of: planned).last?.name ?? planned.name
      families[root, default: []].append(planned.name)
    }
    for root in families.keys.sorted() {
      let members: [ManagedClass] = (families[root] ?? []).compactMap { classes[$0] }
      let served: [PlannedEntity] = members.flatMap(\.entities)
      guard !served.isEmpty else { continue }
      if !assignSchemaLayouts(members) { assignSharedLayout(members, served) }
    }
    for entity in entities where layouts[Self.key(entity)] == nil {
      layouts[Self.key(entity)] = entity.schema.properties.map(\.name)
    }
  }

  /// The properties that a class's own code may access by position.
  private func accessedNames(_ managed: ManagedClass) -> Set<String> {
    var names: Set<String> = Set(managed.entities.flatMap { $0.schema.properties.map(\.name) })
    for declaration in managed.declarations {
      names.formUnion(declaration.properties.map(\.name))
      for method in declaration.methods { names.formUnion(CollectionMethod.candidates(for: method)) }
    }
    return names
  }

  private mutating func assignSchemaLayouts(_ members: [ManagedClass]) -> Bool {
    var positions: [String: [String: Int]] = [:]
    var accessed: [String: Set<String>] = [:]
    for member in members { accessed[member.name] = accessedNames(member) }
    for member in members {
      for ancestor in lineage(of: member) {
        for entity in member.entities {
          for (index, property) in entity.schema.properties.enumerated() {
            guard accessed[ancestor.name]?.contains(property.name) == true else { continue }
            let known = positions[ancestor.name, default: [:]].updateValue(index, forKey: property.name)
            if let known, known != index { return false }
          }
        }
      }
    }
    for member in members { classes[member.name]?.layout = positions[member.name] ?? [:] }
    return true
  }

  private mutating func assignSharedLayout(_ members: [ManagedClass], _ served: [PlannedEntity]) {
    var names: [String] = []
    var positions: [String: Int] = [:]
    for entity in served {
      for property in entity.schema.properties where positions[property.name] == nil {
        positions[property.name] = names.count
        names.append(property.name)
      }
    }
    for member in members { classes[member.name]?.layout = positions }
    for entity in served { layouts[Self.key(entity)] = names }
  }

  /// The entities whose objects run a class's code: its own and those of its subclasses.
  func servedEntities(_ managed: ManagedClass) -> [PlannedEntity] {
    sortedClasses.filter { lineage(of: $0).contains { $0.name == managed.name } }.flatMap(\.entities)
  }
}

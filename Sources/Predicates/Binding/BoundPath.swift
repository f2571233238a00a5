internal import Foundation
internal import Schema

/// What an expression's value is, as far as the schema tells.
enum BoundType {
  case attribute(AttributeType)
  /// An object, or objects, of an entity.
  case object(Int)
  /// The result of a function.
  case unknown

  var isObject: Bool {
    if case .object = self { return true }
    return false
  }
}

/// A key path bound to the schema.
struct BoundPath {
  /// How many predicates further out it starts.
  let depth: Int
  let steps: [PathStep]
  let type: BoundType
  /// The entity that each step is taken from.
  let entities: [Int]

  var isToMany: Bool { steps.contains(where: \.isToMany) }
}

extension PathStep {
  var isToMany: Bool {
    if case .toMany = self { return true }
    return false
  }
}

extension BindingContext {
  /// The path of an expression that is one; `nil` for other expressions.
  mutating func path(of expression: NSExpression) throws(QueryError) -> BoundPath? {
    let found: BoundPath? = try anyPath(of: expression)
    if let found, found.depth > 0 { readsRowsAround = true }
    return found
  }

  private func anyPath(of expression: NSExpression) throws(QueryError) -> BoundPath? {
    switch expression.kind {
    case .evaluatedObject:
      return BoundPath(depth: selfDepth, steps: [], type: .object(frames[0].entity), entities: [])
    case .variable(let name):
      guard let depth = depth(of: name) else { return nil }
      let entity = frames[frames.count - 1 - depth].entity
      return BoundPath(depth: depth, steps: [], type: .object(entity), entities: [])
    case .keyPath(let base, let keyPath):
      guard let base else { return try path(keyPath, from: frames[0].entity, depth: selfDepth) }
      guard case .variable(let name) = base.kind, let depth = depth(of: name) else { return nil }
      return try path(keyPath, from: frames[frames.count - 1 - depth].entity, depth: depth)
    default: return nil
    }
  }

  private func path(_ keyPath: String, from entity: Int, depth: Int) throws(QueryError) -> BoundPath {
    var type = BoundType.object(entity)
    let (steps, entities) = try steps(of: keyPath, from: &type)
    return BoundPath(depth: depth, steps: steps, type: type, entities: entities)
  }

  /// The steps of a key path.
  ///
  /// - Parameter type: what the path starts from; becomes what it leads to.
  func steps(of keyPath: String, from type: inout BoundType) throws(QueryError) -> ([PathStep], [Int]) {
    var steps: [PathStep] = []
    var entities: [Int] = []
    var components: ArraySlice<String> = keyComponents(keyPath)[...]
    while let first = components.first {
      let key: String = compositeKey(components, type) ?? first
      components.removeFirst(key == first ? 1 : key.split(separator: ".").count)
      switch type {
      case .object(let entity):
        guard let step = try step(key, keyPath, entity, &type) else { continue }
        steps.append(step)
        entities.append(entity)
      case .attribute, .unknown:
        if key.lowercased() == "self" { continue }
        if key.first == "@" {
          steps.append(.collection(try collectionOperator(key, keyPath)))
          if key == "@count" { type = .unknown }
        } else if key == "length" || key == "count" {
          steps.append(.length)
          type = .unknown
        } else if key == "name", case .entityName? = steps.last {
          continue
        } else {
          throw unknownKey(key, keyPath, "a value, which has no keys but “length”")
        }
        entities.append(-1)
      }
    }
    return (steps, entities)
  }

  /// The element of a composite attribute that a path begins with: a property whose name has dots in it.
  private func compositeKey(_ components: ArraySlice<String>, _ type: BoundType) -> String? {
    guard case .object(let entity) = type, components.count > 1, let first = components.first,
      let index = schema.entities[entity].propertyIndexByName[first],
      case .fetched = schema.entities[entity].properties[index].kind
    else { return nil }
    for count in stride(from: components.count, to: 1, by: -1) {
      let name: String = components.prefix(count).joined(separator: ".")
      if schema.entities[entity].propertyIndexByName[name] != nil { return name }
    }
    return nil
  }

  private func step(
    _ key: String, _ keyPath: String, _ entity: Int, _ type: inout BoundType
  ) throws(QueryError) -> PathStep? {
    let description: EntitySchema = schema.entities[entity]
    if let index = description.propertyIndexByName[key] {
      let property = description.properties[index]
      guard !property.isTransient else {
        throw QueryError(
          .unsupported,
          "“\(keyPath)”: \(description.name).\(key) is transient, so a store has no values of it to search or sort by.",
          entity: description.name, key: key)
      }
      switch property.kind {
      case .attribute(let attribute):
        type = .attribute(attribute.type)
        return .attribute(SlotAccess(schema: schema, entity: entity, property: index))
      case .relationship(let relationship):
        type = .object(relationship.destination)
        if relationship.isToMany { return .toMany(property: index) }
        return .toOne(SlotAccess(schema: schema, entity: entity, property: index))
      case .fetched:
        let elements: [String] = description.properties.map(\.name).filter { $0.hasPrefix(key + ".") }
        let reason: String =
          elements.isEmpty
          ? "a fetched property, which a store cannot follow."
          : "a composite attribute: compare one of its elements, \(elements.joined(separator: ", "))."
        throw QueryError(
          .unsupported, "“\(keyPath)”: \(description.name).\(key) is \(reason)", entity: description.name, key: key)
      }
    }
    switch key {
    case "self", "SELF", "objectID": return nil
    case "entity":
      type = .unknown
      return .entityName
    case "count":
      type = .unknown
      return .collection(.count)
    case _ where key.first == "@":
      let collectionOperator: CollectionOperator = try collectionOperator(key, keyPath)
      if collectionOperator == .count { type = .unknown }
      return .collection(collectionOperator)
    default: throw unknownKey(key, keyPath, "entity \(description.name)", entity: description.name)
    }
  }

  private func collectionOperator(_ key: String, _ keyPath: String) throws(QueryError) -> CollectionOperator {
    guard let collectionOperator = CollectionOperator(rawValue: key) else {
      throw QueryError(
        .unsupported,
        "“\(keyPath)”: there is no collection operator \(key); there are \(CollectionOperator.names).",
        entity: entityName, key: keyPath)
    }
    return collectionOperator
  }

  private func unknownKey(_ key: String, _ keyPath: String, _ place: String, entity: String? = nil) -> QueryError {
    let whole = key == keyPath ? "" : " (in the key path “\(keyPath)”)"
    return QueryError(
      .unknownKey, "Key path not found: \(place) has no property named “\(key)”\(whole).", entity: entity ?? entityName,
      key: key)
  }

  /// Takes down what a path reads.
  mutating func note(_ path: BoundPath) {
    note(path.steps, path.entities, startsAtRow: path.depth == frames.count - 1 && frames[0].variable == nil)
  }

  mutating func note(_ steps: [PathStep], _ entities: [Int], startsAtRow: Bool) {
    var isOwn = startsAtRow
    if !startsAtRow { dependencies.readsBeyondRow = true }
    for (step, entity) in zip(steps, entities) where entity >= 0 {
      let property: Int? =
        switch step {
        case .attribute(let access), .toOne(let access): access.property
        case .toMany(let property): property
        case .collection, .entityName, .length: nil
        }
      guard let property else { continue }
      if isOwn {
        dependencies.ownProperties.insert(property)
      } else {
        dependencies.elsewhere[entity, default: PropertySet()].insert(property)
        dependencies.readsBeyondRow = true
      }
      if step.isToMany { dependencies.readsBeyondRow = true }
      isOwn = false
    }
  }
}

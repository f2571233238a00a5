internal import Schema

/// One step of a bound key path.
enum PathStep: Sendable {
  case attribute(SlotAccess)
  case toOne(SlotAccess)
  case toMany(property: Int)
  /// Applied to the members so far, each followed along the rest.
  case collection(CollectionOperator)
  /// `entity` or `entity.name`
  case entityName
  /// `length` of a string, `count` of a collection.
  case length
}

extension RowScope {
  /// The row `depth` predicates further out.
  func row(_ row: Row, depth: Int) -> Row {
    var found = row
    var rest = outer
    for _ in 0..<depth {
      guard let around = rest else { break }
      found = around.row
      rest = around.outer
    }
    return found
  }

  private func row(_ known: Row?, _ key: ObjectKey) throws(StoreError) -> Row? {
    if let known { return known }
    return try source.row(for: key)
  }

  /// Follows steps from an object. Mirrors the evaluation of key paths in memory: see `DynamicEvaluator`.
  func follow(_ steps: ArraySlice<PathStep>, from key: ObjectKey, _ known: Row?) throws(StoreError) -> Operand {
    guard let step = steps.first else { return .value(.object(key)) }
    let rest = steps.dropFirst()
    switch step {
    case .attribute(let access):
      guard let row = try row(known, key) else { return try follow(rest, from: .null) }
      return try follow(rest, from: .value(access.value(of: row, self)))
    case .toOne(let access):
      guard let row = try row(known, key), let target = access.reference(of: row, self) else {
        return try follow(rest, from: .null)
      }
      return try follow(rest, from: target, nil)
    case .toMany(let property):
      if case .collection(.count)? = rest.first {
        return .value(.int(Int64(try source.memberCount(of: key, relationship: property))))
      }
      var members: [Operand] = []
      try source.forEachMember(of: key, relationship: property) { member throws(StoreError) in
        members.append(.value(.object(member)))
        return true
      }
      return try follow(rest, from: .many(members))
    case .entityName:
      return try follow(rest, from: .value(.string(source.schema.entities[source.entityIndex(of: key)].name)))
    case .collection, .length: return try follow(steps, from: .value(.object(key)), isObject: false)
    }
  }

  /// Follows steps from any value.
  func follow(
    _ steps: ArraySlice<PathStep>, from operand: Operand, isObject: Bool = true
  ) throws(StoreError) -> Operand {
    guard let step = steps.first else { return operand }
    let rest = steps.dropFirst()
    if case .collection(let collectionOperator) = step {
      let members: [Operand] = operand.isNull ? [] : operand.members
      if collectionOperator == .count { return collectionOperator.apply(members) }
      var values: [Operand] = []
      for member in members { values.append(try follow(rest, from: member)) }
      return collectionOperator.apply(values)
    }
    switch operand {
    case .many(let members):
      if case .length = step, rest.isEmpty { return .value(.int(Int64(members.count))) }
      var values: [Operand] = []
      for member in members {
        let found: Operand = try follow(steps, from: member)
        if case .many(let inner) = found { values.append(contentsOf: inner) } else { values.append(found) }
      }
      return .many(values)
    case .value(.object(let key)) where isObject: return try follow(steps, from: key, nil)
    case .value(.string(let text)):
      guard case .length = step else { return try follow(rest, from: .null) }
      return .value(.int(Int64(text.utf16.count)))
    case .value, .other: return try follow(rest, from: .null)
    }
  }
}

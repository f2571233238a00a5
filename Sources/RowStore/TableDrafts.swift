internal import Schema

/// Properties of entities in the making: columns first, then the other ends of other tables' columns.
struct TableDrafts {
  let tables: [Table]
  private var properties: [[PropertySchema]] = []
  private(set) var incoming: [[TableCatalogue.Reference]]
  private var places: [String: Int] = [:]

  init(_ tables: [Table]) throws(RowStoreError) {
    self.tables = tables
    incoming = tables.map { _ in [] }
    for (index, table) in tables.enumerated() {
      try Self.check(table)
      guard places.updateValue(index, forKey: table.name) == nil else {
        throw RowStoreError(.badTable, "Two tables are named \(table.name).", table: table.name)
      }
    }
    let ends = try otherEnds()
    for index in tables.indices { properties.append(columns(of: index, ends) + ends.properties[index]) }
    for table in tables.indices {
      for (column, definition) in tables[table].columns.enumerated() {
        guard case .reference(let name, _, let rule) = definition.kind, let target = places[name],
          let inverse = ends.inverses[[table, column]]
        else { continue }
        incoming[target].append(
          TableCatalogue.Reference(
            table: table, property: column, inverse: inverse, rule: rule, isRequired: definition.isRequired))
      }
    }
  }

  var schema: Schema { Schema(entities: entities()) }

  private func entities() -> [EntitySchema] {
    tables.enumerated().map { index, table in
      func place(_ name: String) -> Int { table.columns.firstIndex { $0.name == name } ?? 0 }
      return EntitySchema(
        name: table.name, index: index, superentity: nil, isAbstract: false, properties: properties[index],
        inheritedCount: 0, constraints: table.uniqueKeys.map { $0.map(place) },
        fetchIndexes: table.indexes.map { names in
          FetchIndexSchema(
            name: names.joined(separator: "_"),
            elements: names.map { FetchIndexSchema.Element(property: place($0), isAscending: true) })
        })
    }
  }

  private static func check(_ table: Table) throws(RowStoreError) {
    guard !table.name.isEmpty else { throw RowStoreError(.badTable, "A table has no name.") }
    var names: Set<String> = []
    for column in table.columns {
      guard !column.name.isEmpty, !column.name.contains(".") else {
        throw RowStoreError(
          .badTable, "A column of \(table.name) is named “\(column.name)”: a name has a letter and no point.",
          table: table.name, column: column.name)
      }
      guard names.insert(column.name).inserted else {
        throw RowStoreError(
          .badTable, "Two columns of \(table.name) are named \(column.name).", table: table.name, column: column.name)
      }
      if case .value(let type) = column.kind { try checkDefault(column, type, table) }
    }
    for name in (table.uniqueKeys + table.indexes).joined() {
      guard let column = table.columns.first(where: { $0.name == name }) else {
        throw RowStoreError(
          .badTable, "A key or index of \(table.name) names \(name), which is no column of it.", table: table.name,
          column: name)
      }
      if case .links = column.kind {
        throw RowStoreError(
          .badTable, "A key or index of \(table.name) names \(name), which holds links and no value.",
          table: table.name, column: name)
      }
    }
    guard !(table.uniqueKeys + table.indexes).contains([]) else {
      throw RowStoreError(.badTable, "A key or index of \(table.name) names no column.", table: table.name)
    }
  }

  private static func checkDefault(_ column: Column, _ type: AttributeType, _ table: Table) throws(RowStoreError) {
    guard type != .transformable, type != .objectID else {
      throw RowStoreError(
        .badTable, "\(table.name).\(column.name) is of type \(type.name), which rows of a table cannot have.",
        table: table.name, column: column.name)
    }
    _ = try ColumnValue.fit(column.defaultValue, type, table: table.name, column: column.name)
  }

  private struct Ends {
    /// By table: what stands behind its columns.
    var properties: [[PropertySchema]]
    /// By table and column: the place of the other end among the properties of the table it leads to.
    var inverses: [[Int]: Int] = [:]
  }

  private func otherEnds() throws(RowStoreError) -> Ends {
    var ends = Ends(properties: tables.map { _ in [] })
    var taken = tables.map { table in Set(table.columns.map(\.name)) }
    for table in tables.indices {
      for (index, column) in tables[table].columns.enumerated() {
        let name: String
        let inverse: String?
        switch column.kind {
        case .value: continue
        case .reference(let to, let other, _), .links(let to, let other): (name, inverse) = (to, other)
        }
        guard let target = places[name] else {
          throw RowStoreError(
            .badTable, "\(tables[table].name).\(column.name) leads to \(name), which is no table of the store.",
            table: tables[table].name, column: column.name)
        }
        let end = inverse ?? "\(tables[table].name).\(column.name)"
        guard taken[target].insert(end).inserted else {
          throw RowStoreError(
            .badTable,
            "The other end of \(tables[table].name).\(column.name) is named \(end), a name that \(name) has already.",
            table: tables[table].name, column: column.name)
        }
        ends.inverses[[table, index]] = tables[target].columns.count + ends.properties[target].count
        let relationship = RelationshipSchema(
          destination: table, inverse: index, isToMany: true, deleteRule: .noAction)
        ends.properties[target].append(PropertySchema(name: end, kind: .relationship(relationship)))
      }
    }
    return ends
  }

  private func columns(of table: Int, _ ends: Ends) -> [PropertySchema] {
    tables[table].columns.enumerated().map { index, column in
      let kind: PropertySchema.Kind
      switch column.kind {
      case .value(let type):
        kind = .attribute(AttributeSchema(type: type, defaultValue: column.defaultValue))
      case .reference(let name, _, _), .links(let name, _):
        var isToMany = false
        if case .links = column.kind { isToMany = true }
        kind = .relationship(
          RelationshipSchema(
            destination: places[name] ?? 0, inverse: ends.inverses[[table, index]], isToMany: isToMany,
            deleteRule: .noAction))
      }
      return PropertySchema(name: column.name, kind: kind, isOptional: !column.isRequired)
    }
  }
}

internal import Foundation
internal import Model
internal import Predicates
internal import Schema

/// A key of the dictionaries that a fetch returns, and where its values come from.
struct DictionaryColumn {
  let name: String
  let expression: Predicates.NSExpression
  /// The type that the request declares for an expression.
  var resultType: NSAttributeType = .undefinedAttributeType

  /// The columns of a request: all stored properties of the entity when it names none; with groups, what is grouped by.
  static func columns(_ settings: FetchSettings, _ info: EntityInfo) throws -> [DictionaryColumn] {
    if let wanted = settings.propertiesToFetch, !wanted.isEmpty {
      return try wanted.map { try column($0, "propertiesToFetch", info) }
    }
    if let groups = settings.propertiesToGroupBy, !groups.isEmpty { return try self.groups(settings, info) }
    return info.entity.properties.indices.filter { info.hasSlot[$0] }.map { property in
      let name: String = info.entity.properties[property].name
      return DictionaryColumn(name: name, expression: NSExpression(forKeyPath: name))
    }
  }

  static func groups(_ settings: FetchSettings, _ info: EntityInfo) throws -> [DictionaryColumn] {
    try (settings.propertiesToGroupBy ?? []).map { try column($0, "propertiesToGroupBy", info) }
  }

  private static func column(_ element: Any, _ option: String, _ info: EntityInfo) throws -> DictionaryColumn {
    switch element {
    case let description as NSExpressionDescription:
      guard let expression = description.expression else {
        throw fault("'\(description.name)' in \(option) has no expression: set its expression.", info)
      }
      guard !description.name.isEmpty else {
        throw fault("The expression '\(expression)' in \(option) has no name: set its name.", info)
      }
      return DictionaryColumn(
        name: description.name, expression: expression, resultType: description.expressionResultType)
    case let description as NSPropertyDescription: return try property(description.name, option, info)
    case let name as String: return try property(name, option, info)
    case let expression as Predicates.NSExpression:
      return DictionaryColumn(name: "\(expression)", expression: expression)
    default:
      throw fault(
        "'\(element)' in \(option) is of type \(type(of: element)): give names and property descriptions.", info)
    }
  }

  private static func property(_ name: String, _ option: String, _ info: EntityInfo) throws -> DictionaryColumn {
    if let property = info.property(named: name), !info.hasSlot[property],
      !info.entity.properties.contains(where: { $0.name.hasPrefix(name + ".") })
    {
      let isToMany: Bool = info.entity.properties[property].relationship?.isToMany == true
      throw fault(
        isToMany
          ? "'\(name)' in \(option) is a to-many relationship: fetch an expression such as \(name).@count."
          : "'\(name)' in \(option) is not stored, so a store has no values of it.", info)
    }
    return DictionaryColumn(name: name, expression: NSExpression(forKeyPath: name))
  }

  private static func fault(_ message: String, _ info: EntityInfo) -> any Error {
    GraphError.make(NSPersistentStoreOperationError, "The fetch request for \(info.entity.name): \(message)")
  }
}

internal import Foundation
internal import Schema

/// What a derived attribute is computed from, found by name: before freezing gives everything a number.
enum ResolvedDerivation {
  case own(NSAttributeDescription, Derivation.Transform)
  case related(NSRelationshipDescription, NSAttributeDescription, Derivation.Transform)
  case aggregate(NSRelationshipDescription, Derivation.Aggregate, NSAttributeDescription?)
  case now
}

/// Reads the expressions that a store can compute: a path, one of three functions of it, an aggregate over a to-many
/// relationship, or the time.
enum DerivationText {
  struct Fault: Error { let message: String }

  /// What the text says, before any name is looked up.
  private enum Form {
    case path([String], Derivation.Transform)
    case aggregate(relationship: String, Derivation.Aggregate, property: String?)
    case now
  }

  static func resolve(
    _ attribute: NSDerivedAttributeDescription, in entity: NSEntityDescription
  ) -> Result<ResolvedDerivation, Fault> {
    guard let text = attribute.derivationText, !text.isEmpty else {
      return .failure(Fault(message: "a derived attribute needs a derivation expression"))
    }
    guard let form = parse(text) else {
      let message =
        "the derivation '\(text)' is not supported; it can be an attribute, toOne.attribute, lowercase:(…), "
        + "uppercase:(…) or canonical:(…) of one, toMany.@count, toMany.@sum.attribute (also @min, @max), or now()"
      return .failure(Fault(message: message))
    }
    do {
      return .success(try look(form, up: text, for: attribute, in: entity))
    } catch {
      return .failure(error)
    }
  }

  // MARK: Text

  private static func parse(_ text: String) -> Form? {
    let text: String = text.filter { !$0.isWhitespace }
    if text == "now()" || text == "now:()" { return .now }
    if text.hasSuffix(")"), let bracket = text.firstIndex(of: "(") {
      let name = text[..<bracket].trimmingCharacters(in: CharacterSet(charactersIn: ":"))
      let argument = String(text[text.index(after: bracket)...].dropLast())
      guard let path = path(argument) else { return nil }
      if let transform = Derivation.Transform(rawValue: name), transform != .copy { return .path(path, transform) }
      guard let aggregate = Derivation.Aggregate(rawValue: name) else { return nil }
      if aggregate == .count { return path.count == 1 ? .aggregate(relationship: path[0], .count, property: nil) : nil }
      return path.count == 2 ? .aggregate(relationship: path[0], aggregate, property: path[1]) : nil
    }
    let parts: [String] = text.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
    if parts.count >= 2, parts[1].hasPrefix("@") {
      guard let aggregate = Derivation.Aggregate(rawValue: String(parts[1].dropFirst())),
        ReservedNames.isIdentifier(parts[0])
      else { return nil }
      if aggregate == .count {
        return parts.count == 2 ? .aggregate(relationship: parts[0], .count, property: nil) : nil
      }
      guard parts.count == 3, ReservedNames.isIdentifier(parts[2]) else { return nil }
      return .aggregate(relationship: parts[0], aggregate, property: parts[2])
    }
    return path(text).map { .path($0, .copy) }
  }

  private static func path(_ text: String) -> [String]? {
    let parts: [String] = text.split(separator: ".", omittingEmptySubsequences: false).map { part in
      part.hasPrefix("#") ? String(part.dropFirst()) : String(part)
    }
    guard (1...2).contains(parts.count), parts.allSatisfy({ ReservedNames.isIdentifier($0) }) else { return nil }
    return parts
  }

  // MARK: Names

  private static func look(
    _ form: Form, up text: String, for attribute: NSDerivedAttributeDescription, in entity: NSEntityDescription
  ) throws(Fault) -> ResolvedDerivation {
    let type: NSAttributeType = attribute.attributeType
    switch form {
    case .now:
      guard type == .dateAttributeType || type == .doubleAttributeType else {
        throw Fault(message: "the derivation 'now()' gives a date; the attribute is of another type")
      }
      return .now
    case .path(let path, let transform):
      if path.count == 1 {
        let source = try self.attribute(path[0], of: entity, text)
        try checkTypes(source, transform, attribute, text)
        return .own(source, transform)
      }
      let step = try relationship(path[0], of: entity, toMany: false, text)
      let source = try self.attribute(path[1], of: step.destination, text)
      try checkTypes(source, transform, attribute, text)
      return .related(step.relationship, source, transform)
    case .aggregate(let name, let aggregate, let property):
      let step = try relationship(name, of: entity, toMany: true, text)
      guard aggregate != .count, let property else {
        guard type.isNumber else {
          throw Fault(message: "the derivation '\(text)' gives a number; the attribute is of another type")
        }
        return .aggregate(step.relationship, .count, nil)
      }
      let source = try self.attribute(property, of: step.destination, text)
      let isComparable: Bool =
        source.attributeType == type && (type == .dateAttributeType || type == .stringAttributeType)
      guard source.attributeType.isNumber && type.isNumber || aggregate != .sum && isComparable else {
        throw Fault(message: "the derivation '\(text)' can't be taken of '\(property)': their types don't fit")
      }
      return .aggregate(step.relationship, aggregate, source)
    }
  }

  private static func attribute(
    _ name: String, of entity: NSEntityDescription, _ text: String
  ) throws(Fault) -> NSAttributeDescription {
    guard let attribute = entity.property(named: name) as? NSAttributeDescription else {
      throw Fault(message: "the derivation '\(text)' names '\(name)', which is no attribute of '\(entity.name ?? "")'")
    }
    if attribute.isTransient {
      throw Fault(message: "the derivation '\(text)' names '\(name)', which is transient: stores don't see it")
    }
    if attribute is NSDerivedAttributeDescription {
      throw Fault(
        message: "the derivation '\(text)' names '\(name)', which is derived itself: name what that comes from")
    }
    return attribute
  }

  private static func relationship(
    _ name: String, of entity: NSEntityDescription, toMany: Bool, _ text: String
  ) throws(Fault) -> (relationship: NSRelationshipDescription, destination: NSEntityDescription) {
    let kind: String = toMany ? "to-many" : "to-one"
    guard let relationship = entity.property(named: name) as? NSRelationshipDescription,
      relationship.isToMany == toMany, let destination = relationship.destinationEntity
    else {
      throw Fault(
        message: "the derivation '\(text)' names '\(name)', which is no \(kind) relationship of '\(entity.name ?? "")'")
    }
    return (relationship, destination)
  }

  private static func checkTypes(
    _ source: NSAttributeDescription, _ transform: Derivation.Transform, _ attribute: NSAttributeDescription,
    _ text: String
  ) throws(Fault) {
    let fits: Bool
    if transform == .copy {
      fits = source.attributeType == attribute.attributeType
    } else {
      fits = source.attributeType == .stringAttributeType && attribute.attributeType == .stringAttributeType
    }
    guard !fits else { return }
    let from: String = source.attributeType.fileName ?? "no type"
    let to: String = attribute.attributeType.fileName ?? "no type"
    throw Fault(message: "the derivation '\(text)' makes a value of \(from) into one of \(to)")
  }
}

extension NSAttributeType {
  var isNumber: Bool {
    switch self {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .decimalAttributeType,
      .doubleAttributeType, .floatAttributeType:
      true
    default: false
    }
  }
}

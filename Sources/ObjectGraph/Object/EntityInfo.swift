internal import Foundation
internal import Model
internal import Schema
internal import StoreContract
internal import Synchronization

/// What the graph works out once about an entity, so that objects look nothing up by name.
final class EntityInfo: @unchecked Sendable {
  // unchecked: fixed when made, but for the class, which is behind a lock.
  let schema: Schema
  let entity: EntitySchema
  /// Schema index.
  let index: Int
  let description: NSEntityDescription
  /// The place of each property in a row. Properties without one have a slot of kind `bool` that `hasSlot` denies.
  // unsafe: read for every property access; an array would cost a bounds check and a retain each time.
  let slots: UnsafePointer<RowSlot>
  let hasSlot: [Bool]
  /// Which side of each relationship a store keeps.
  let storage: [RelationshipStorage]
  /// For each to-many relationship its place among them, -1 for other properties.
  let toManyPlace: [Int]
  let toManyProperties: [Int]
  /// Properties of all relationships.
  let relationships: [Int]
  let rules: ValidationRules
  /// Properties that live in memory only.
  let transients: Set<Int>
  /// What a new object's properties hold.
  let defaults: [Value?]
  /// From the index that generated accessors pass to the schema's, where the two differ.
  let remap: [Int]?
  private let resolvedClass: Mutex<NSManagedObject.Type?>

  init(schema: Schema, index: Int, description: NSEntityDescription, classes: ClassResolver) {
    self.schema = schema
    self.index = index
    self.description = description
    let entity: EntitySchema = schema.entities[index]
    self.entity = entity
    let count: Int = entity.properties.count
    let filler: RowSlot? = entity.layout.slots.lazy.compactMap { $0 }.first
    let table = UnsafeMutablePointer<RowSlot>.allocate(capacity: max(count, 1))
    for property in 0..<count {
      if let slot = entity.layout.slots[property] ?? filler { (table + property).initialize(to: slot) }
    }
    slots = UnsafePointer(table)
    hasSlot = entity.layout.slots.map { $0 != nil }
    storage = (0..<count).map { RelationshipStorage(schema: schema, entity: index, property: $0) }
    toManyProperties = (0..<count).filter { entity.properties[$0].relationship?.isToMany == true }
    var places = [Int](repeating: -1, count: count)
    for (place, property) in toManyProperties.enumerated() { places[property] = place }
    toManyPlace = places
    relationships = (0..<count).filter { entity.properties[$0].relationship != nil }
    transients = Set((0..<count).filter { entity.properties[$0].isTransient })
    defaults = entity.properties.map { $0.attribute?.defaultValue ?? .null }
    let found: ClassResolver.Answer = classes.resolve(description)
    rules = ValidationRules(entity: entity, description: description, classes: found)
    remap = found.propertyNames.flatMap { Self.remap(from: $0, to: entity) }
    resolvedClass = Mutex(found.objectClass)
  }

  deinit { slots.deallocate() }

  /// The class of the entity's objects; `NSManagedObject` where the model's class does not exist.
  var objectClass: NSManagedObject.Type { resolvedClass.withLock { $0 ?? NSManagedObject.self } }

  /// Whether the model's class was found.
  var hasOwnClass: Bool { resolvedClass.withLock { $0 != nil } }

  /// Makes the entity's objects instances of a class that the program used before it could be found by name.
  func adopt(_ objectClass: NSManagedObject.Type) {
    resolvedClass.withLock { if $0 == nil { $0 = objectClass } }
  }

  private static func remap(from names: [String], to entity: EntitySchema) -> [Int]? {
    let places: [Int] = names.map { entity.propertyIndexByName[$0] ?? -1 }
    return places == Array(0..<names.count) ? nil : places
  }

  /// Whether `objectClass` is the one that the model names for the entity.
  func isNamed(after objectClass: NSManagedObject.Type) -> Bool {
    guard let named = description.managedObjectClassName, !named.isEmpty else { return false }
    let full: String = String(reflecting: objectClass)
    if full == named { return true }
    // Without the module, and without the types around it.
    let path: Substring = full.drop { $0 != "." }.dropFirst()
    let short: Substring = full.split(separator: ".").last ?? ""
    let isModuleLeftOut: Bool = named.hasPrefix(".") || !named.contains(".")
    return named == path || (isModuleLeftOut && named.drop { $0 == "." } == short)
  }

  func property(named key: String) -> Int? { entity.propertyIndexByName[key] }
}

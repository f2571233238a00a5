internal import Foundation
internal import Model
internal import Schema

/// An entity's rules, compiled once.
struct ValidationRules {
  /// Whether a property has any rule of the model's.
  let hasRule: [Bool]
  let limits: [AttributeLimits?]
  let patterns: [NSRegularExpression?]
  /// Whether the model's rules are all there is: the class leaves `validateValue` alone. There is no way to ask a
  /// Swift class that, so only `NSManagedObject` itself and classes that were generated whole count.
  let isFixed: Bool
  /// Properties with a rule, in order.
  let ruled: [Int]
  /// Whether a property has validation predicates.
  let hasPredicates: [Bool]
  /// The class's own methods, by property.
  let validators: [Int: [GeneratedValidator]]

  init(entity: EntitySchema, description: NSEntityDescription, classes: ClassResolver.Answer) {
    let descriptions: [NSPropertyDescription] = description.propertyDescriptions
    var limits: [AttributeLimits?] = []
    var patterns: [NSRegularExpression?] = []
    var hasRule: [Bool] = []
    for (property, schema) in entity.properties.enumerated() {
      let found: AttributeLimits? = (descriptions[property] as? NSAttributeDescription)?.limits
      limits.append(found?.isEmpty == false ? found : nil)
      // The model's check has refused patterns that can't be compiled.
      patterns.append(found?.pattern.flatMap { try? NSRegularExpression(pattern: $0) })
      let isBounded: Bool = schema.relationship.map { $0.isToMany && ($0.minCount > 0 || $0.maxCount > 0) } ?? false
      let isNarrow: Bool = schema.attribute?.type == .integer16 || schema.attribute?.type == .integer32
      hasRule.append(
        (!schema.isOptional && schema.kind != .fetched) || limits[property] != nil || isBounded || isNarrow
          || !descriptions[property].validationPredicates.isEmpty)
    }
    self.limits = limits
    self.patterns = patterns
    self.hasRule = hasRule
    ruled = hasRule.indices.filter { hasRule[$0] }
    hasPredicates = descriptions.map { !$0.validationPredicates.isEmpty }
    var validators: [Int: [GeneratedValidator]] = [:]
    for validator in classes.validators {
      let index: Int? = entity.properties.firstIndex {
        $0.name.prefix(1).uppercased() + $0.name.dropFirst() == validator.suffix
      }
      if let index { validators[index, default: []].append(validator) }
    }
    self.validators = validators
    isFixed = classes.objectClass == NSManagedObject.self || classes.isWhollyGenerated
  }
}

internal import Foundation
internal import Model
internal import Schema

// The model's rules, checked when an object is saved. All violations of an object are found at once.
extension NSManagedObject {
  /// Checks one value against its property's rules.
  final func checkValue(_ value: Any?, forKey key: String) throws {
    guard let property = info.property(named: key) else { stopForUnknownKey(key) }
    // Asked about every property of every object that is saved: those without rules cost a lookup.
    guard info.rules.hasRule[property] else { return }
    let schema: PropertySchema = info.entity.properties[property]
    let given: Any? = value is NSNull ? nil : value
    var problems: [any Error] = []
    switch schema.kind {
    case .attribute(let attribute):
      guard let given else {
        if !schema.isOptional { problems.append(missing(property)) }
        break
      }
      if attribute.type == .transformable {
        problems += predicateProblems(given, property)
        break
      }
      guard let converted = Self.converted(given, to: attribute.type) else { stopForWrongValue(given, property) }
      problems = attributeProblems(converted, given, property, attribute)
    case .relationship(let relationship):
      if relationship.isToMany {
        let count: Int = (given as? NSSet)?.count ?? (given as? NSOrderedSet)?.count ?? (given as? [Any])?.count ?? 0
        problems = countProblems(count, property, relationship)
      } else if given == nil, !schema.isOptional {
        problems.append(missing(property))
      }
    case .fetched: break
    }
    try ValidationErrors.throwIfAny(problems)
  }

  /// Checks, and may replace, a value by the class's own methods.
  final func runValidators(_ value: inout Any?, forKey key: String) throws {
    guard !info.rules.validators.isEmpty, let property = info.property(named: key),
      let validators = info.rules.validators[property]
    else { return }
    let place = AutoreleasingUnsafeMutablePointer<AnyObject?>(
      holding: value.flatMap { $0 is NSNull ? nil : $0 as AnyObject })
    for validator in validators { try validator.validate(self, place) }
    if place.isWritten { value = place.pointee }
  }

  /// Checks all properties, each through `validateValue`, which subclasses may override.
  final func validateRules() throws {
    realise()
    if info.rules.isFixed { return try validateFixedRules() }
    var problems: [any Error] = []
    for property in info.entity.properties.indices where needsCheck(property) {
      var value: Any? = validatedValue(property)
      let name: String = info.entity.properties[property].name
      do {
        try validateValue(&value, forKey: name)
        if info.rules.validators[property] != nil { takeOver(value, property) }
      } catch {
        problems += ValidationErrors.parts(of: error)
      }
    }
    try ValidationErrors.throwIfAny(problems)
  }

  /// Sets what a method of the class has put in the place of a value. An equal value is none.
  private final func takeOver(_ value: Any?, _ property: Int) {
    guard info.toManyPlace[property] < 0 else { return }
    let old: Any? = readProperty(property)
    let isSame: Bool = (old as AnyObject?).map { ($0 as? NSObject)?.isEqual(value) == true } ?? (value == nil)
    if !isSame { writeProperty(property, value) }
  }

  /// The model's rules, where there can be no others: values are looked at where they are, and boxed only for an error.
  private final func validateFixedRules() throws {
    var problems: [any Error] = []
    for property in info.rules.ruled where isInQuestion(property) {
      let schema: PropertySchema = info.entity.properties[property]
      guard schema.isStoredInRow, schema.attribute?.type != .transformable, !info.rules.hasPredicates[property] else {
        do { try checkValue(validatedValue(property), forKey: schema.name) } catch {
          problems += ValidationErrors.parts(of: error)
        }
        continue
      }
      let value: Value = currentValue(property)
      if value.isNull {
        if !schema.isOptional { problems.append(missing(property)) }
      } else if case .attribute(let attribute) = schema.kind,
        rangeProblem(value, attribute.type) != nil || info.rules.limits[property] != nil
      {
        problems += attributeProblems(value, readProperty(property) ?? NSNull(), property, attribute)
      }
    }
    try ValidationErrors.throwIfAny(problems)
  }

  /// Whether there is a rule, or an overridden `validateValue` that may have one.
  private final func needsCheck(_ property: Int) -> Bool {
    info.entity.properties[property].kind != .fetched && isInQuestion(property)
  }

  /// Properties of a saved object that nobody has touched are what they were.
  private final func isInQuestion(_ property: Int) -> Bool {
    flags.contains(.inserted) || info.toManyPlace[property] < 0 || state?.touched.contains(property) == true
  }

  /// What `validateValue` is given. A to-many relationship only where its count has a rule: else its members need not
  /// be read.
  private final func validatedValue(_ property: Int) -> Any? {
    info.toManyPlace[property] >= 0 && !info.rules.hasRule[property] ? NSSet() : readProperty(property)
  }

  // MARK: rules

  private final func attributeProblems(
    _ value: Value, _ given: Any, _ property: Int, _ attribute: AttributeSchema
  ) -> [any Error] {
    var problems: [any Error] = []
    if let code = rangeProblem(value, attribute.type) {
      problems.append(problem(code, property, "is out of the range of \(attribute.type.name)", given))
    }
    if let limits = info.rules.limits[property] { problems += limitProblems(value, given, property, limits) }
    return problems + predicateProblems(given, property)
  }

  private final func rangeProblem(_ value: Value, _ type: AttributeType) -> Int? {
    guard case .int(let number) = value else { return nil }
    let range: ClosedRange<Int64>
    switch type {
    case .integer16: range = Int64(Int16.min)...Int64(Int16.max)
    case .integer32: range = Int64(Int32.min)...Int64(Int32.max)
    default: return nil
    }
    if number > range.upperBound { return NSValidationNumberTooLargeError }
    return number < range.lowerBound ? NSValidationNumberTooSmallError : nil
  }

  private final func limitProblems(
    _ value: Value, _ given: Any, _ property: Int, _ limits: AttributeLimits
  ) -> [any Error] {
    var problems: [any Error] = []
    func report(_ code: Int, _ text: String) { problems.append(problem(code, property, text, given)) }
    switch value {
    case .string(let text):
      let length: Int = text.utf16.count
      if let least = limits.minLength, length < least {
        report(NSValidationStringTooShortError, "is \(length) long; at least \(least) are needed")
      }
      if let most = limits.maxLength, length > most {
        report(NSValidationStringTooLongError, "is \(length) long; at most \(most) are allowed")
      }
      if let pattern = info.rules.patterns[property], !Self.isWhole(pattern, text) {
        report(NSValidationStringPatternMatchingError, "does not match \(limits.pattern ?? "")")
      }
    case .date(let seconds):
      if let earliest = limits.minDate, seconds < earliest {
        report(NSValidationDateTooSoonError, "is before \(Date(timeIntervalSinceReferenceDate: earliest))")
      }
      if let latest = limits.maxDate, seconds > latest {
        report(NSValidationDateTooLateError, "is after \(Date(timeIntervalSinceReferenceDate: latest))")
      }
    default:
      guard let number = Self.comparable(value) else { break }
      if let least = limits.minNumber, number < least {
        report(NSValidationNumberTooSmallError, "is \(number); it must be at least \(least)")
      }
      if let most = limits.maxNumber, number > most {
        report(NSValidationNumberTooLargeError, "is \(number); it must be at most \(most)")
      }
    }
    return problems
  }

  private static func isWhole(_ pattern: NSRegularExpression, _ text: String) -> Bool {
    let whole = NSRange(text.startIndex..., in: text)
    return pattern.firstMatch(in: text, options: .anchored, range: whole)?.range == whole
  }

  private static func comparable(_ value: Value) -> Decimal? {
    switch value {
    case .int(let number): Decimal(number)
    case .float(let number): number.isFinite ? Decimal(Double(number)) : nil
    case .double(let number): number.isFinite ? Decimal(number) : nil
    case .decimal(let number): number
    default: nil
    }
  }

  private final func predicateProblems(_ given: Any, _ property: Int) -> [any Error] {
    let description: NSPropertyDescription = info.description.propertyDescriptions[property]
    var problems: [any Error] = []
    for (index, predicate) in description.validationPredicates.enumerated() where !predicate.evaluate(with: given) {
      let warning: Any? = index < description.validationWarnings.count ? description.validationWarnings[index] : nil
      if let error = warning as? any Error {
        problems.append(error)
        continue
      }
      let message: String = warning as? String ?? ""
      let text: String = message.isEmpty ? "does not meet \(predicate)" : message
      let code: Int = ValidationErrors.code(of: predicate, for: info.entity.properties[property])
      problems.append(problem(code, property, text, given, predicate: predicate))
    }
    return problems
  }

  private final func countProblems(_ count: Int, _ property: Int, _ relationship: RelationshipSchema) -> [any Error] {
    let isOptional: Bool = info.entity.properties[property].isOptional
    if count == 0, isOptional { return [] }
    let least: Int = max(relationship.minCount, isOptional ? 0 : 1)
    if count < least {
      let text: String = "has \(count) members; at least \(least) are needed"
      return [problem(NSValidationRelationshipLacksMinimumCountError, property, text, count)]
    }
    if relationship.maxCount > 0, count > relationship.maxCount {
      let text: String = "has \(count) members; at most \(relationship.maxCount) are allowed"
      return [problem(NSValidationRelationshipExceedsMaximumCountError, property, text, count)]
    }
    return []
  }

  /// Relationships that deny deletion must lead to nothing that stays.
  final func validateDeleteRules() throws {
    var problems: [any Error] = []
    for property in info.relationships {
      guard info.entity.properties[property].relationship?.deleteRule == .deny,
        destinations(property).contains(where: { !$0.isDeleted })
      else { continue }
      problems.append(
        problem(
          NSValidationRelationshipDeniedDeleteError, property, "still leads to objects, which denies deletion", nil))
    }
    try ValidationErrors.throwIfAny(problems)
  }

  // MARK: errors

  private final func missing(_ property: Int) -> any Error {
    problem(NSValidationMissingMandatoryPropertyError, property, "is required", nil)
  }

  private final func problem(
    _ code: Int, _ property: Int, _ text: String, _ value: Any?, predicate: NSPredicate? = nil
  ) -> any Error {
    let name: String = info.entity.properties[property].name
    var userInfo: [String: Any] = [NSValidationObjectErrorKey: self, NSValidationKeyErrorKey: name]
    if let value { userInfo[NSValidationValueErrorKey] = value }
    if let predicate { userInfo[NSValidationPredicateErrorKey] = predicate }
    return GraphError.make(code, "\(info.entity.name).\(name) \(text).", userInfo: userInfo)
  }
}

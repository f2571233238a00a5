internal import Model

/// How a property of a given Swift type is read from and written to an object.
struct PropertyAccess {
  /// An expression, evaluated in the object.
  let getter: String
  /// A statement that stores `newValue`, which it mentions once.
  let setter: String

  init(_ getter: String, _ setter: String) {
    self.getter = getter
    self.setter = setter
  }

  /// How to access a property of the model at a position.
  /// - Returns: nil when the type is none that the property can have.
  static func make(_ property: NSPropertyDescription, type: SwiftType, position: Int, plan: ModulePlan)
    -> PropertyAccess?
  {
    let maker = PropertyAccessMaker(name: property.name, type: type, position: position, plan: plan)
    switch property {
    case let relationship as NSRelationshipDescription: return maker.relationship(relationship)
    case let attribute as NSAttributeDescription: return maker.attribute(attribute)
    default: return maker.named()
    }
  }

  /// How to access a property that no model in the target describes: by its name.
  static func named(_ name: String, type: SwiftType, plan: ModulePlan) -> PropertyAccess? {
    PropertyAccessMaker(name: name, type: type, position: 0, plan: plan).named()
  }

  /// How to access what a property `primitiveX` stands for.
  static func primitive(_ name: String, type: SwiftType, plan: ModulePlan) -> PropertyAccess? {
    PropertyAccessMaker(name: name, type: type, position: 0, plan: plan).primitive()
  }
}

/// Chooses the accessors for one property.
struct PropertyAccessMaker {
  let name: String
  let type: SwiftType
  let position: Int
  let plan: ModulePlan

  /// The type's name where it is one of the standard library's or Foundation's.
  private var simpleName: String {
    guard case .nominal(let nominal) = type.unwrapped, nominal.path.count == 1, nominal.module != plan.module else {
      return ""
    }
    return nominal.path[0].name
  }

  func spelled(_ type: SwiftType) -> String { plan.spelled(type) }

  /// A type's name in an expression.
  private func named(_ name: String) -> String { plan.spelled(name) }

  /// For types that have no value to stand for nothing.
  private func required(_ expression: String) -> String {
    type.isOptional ? expression : "_required(\(expression), \(position))"
  }

  private func value(_ accessor: String) -> PropertyAccess {
    PropertyAccess(
      "_\(accessor)(\(position))",
      "_set\(accessor.prefix(1).uppercased())\(accessor.dropFirst())(newValue, \(position))")
  }

  // MARK: Attributes

  func attribute(_ attribute: NSAttributeDescription) -> PropertyAccess? {
    switch attribute.attributeType {
    case .integer16AttributeType: return number(scalars: ["Int16"])
    case .integer32AttributeType: return number(scalars: ["Int32"])
    case .integer64AttributeType: return number(scalars: ["Int64", "Int"])
    case .doubleAttributeType: return number(scalars: ["Double"])
    case .floatAttributeType: return number(scalars: ["Float"])
    case .booleanAttributeType: return number(scalars: ["Bool"])
    case .stringAttributeType: return string()
    case .dateAttributeType: return date()
    case .binaryDataAttributeType: return binary()
    case .UUIDAttributeType: return uuid()
    case .URIAttributeType: return uri()
    case .decimalAttributeType: return decimal()
    case .objectIDAttributeType where simpleName != "NSManagedObjectID": return nil
    case .transformableAttributeType, .undefinedAttributeType, .objectIDAttributeType, .compositeAttributeType:
      return any()
    }
  }

  private func number(scalars: [String]) -> PropertyAccess? {
    let name = simpleName
    if name == "NSNumber" {
      return PropertyAccess(required("_number(\(position))"), "_setNumber(newValue, \(position))")
    }
    guard scalars.contains(name) else { return nil }
    if type.isOptional {
      return PropertyAccess(
        "_number(\(position))?.\(name.lowercased())Value",
        "_setNumber(newValue.map { \(named("NSNumber"))(value: $0) }, \(position))")
    }
    if name == "Int" {
      return PropertyAccess(
        "\(named("Int"))(_int64(\(position)))", "_setInt64(\(named("Int64"))(newValue), \(position))")
    }
    return value(name.lowercased())
  }

  private func string() -> PropertyAccess? {
    switch simpleName {
    case "String":
      return PropertyAccess(
        type.isOptional ? "_string(\(position))" : "_string(\(position)) ?? \"\"", "_setString(newValue, \(position))")
    case "NSString":
      return bridged(
        "string", to: "\(named("NSString"))(string: $0)", back: "\(named("String"))($0)",
        absent: "\(named("NSString"))()")
    default: return nil
    }
  }

  private func date() -> PropertyAccess? {
    switch simpleName {
    case "Date": return PropertyAccess(required("_date(\(position))"), "_setDate(newValue, \(position))")
    case "NSDate":
      return bridged(
        "date", to: "\(named("NSDate"))(timeIntervalSinceReferenceDate: $0.timeIntervalSinceReferenceDate)",
        back: "\(named("Date"))(timeIntervalSinceReferenceDate: $0.timeIntervalSinceReferenceDate)", absent: nil)
    case "Double":
      // A date as a scalar: seconds since 2001.
      if type.isOptional {
        return PropertyAccess(
          "_date(\(position))?.timeIntervalSinceReferenceDate",
          "_setDate(newValue.map { \(named("Date"))(timeIntervalSinceReferenceDate: $0) }, \(position))")
      }
      return PropertyAccess(
        "_date(\(position))?.timeIntervalSinceReferenceDate ?? 0",
        "_setDate(\(named("Date"))(timeIntervalSinceReferenceDate: newValue), \(position))")
    default: return nil
    }
  }

  private func binary() -> PropertyAccess? {
    switch simpleName {
    case "Data":
      return PropertyAccess(
        type.isOptional ? "_data(\(position))" : "_data(\(position)) ?? \(named("Data"))()",
        "_setData(newValue, \(position))")
    case "NSData":
      return bridged(
        "data", to: "\(named("NSData"))(data: $0)", back: "\(named("Data"))(referencing: $0)",
        absent: "\(named("NSData"))()")
    default: return nil
    }
  }

  private func uuid() -> PropertyAccess? {
    switch simpleName {
    case "UUID": return PropertyAccess(required("_uuid(\(position))"), "_setUuid(newValue, \(position))")
    case "NSUUID":
      return PropertyAccess(
        required("_uuid(\(position)).flatMap { \(named("NSUUID"))(uuidString: $0.uuidString) }"),
        "_setUuid(\(optional("newValue")).flatMap { \(named("UUID"))(uuidString: $0.uuidString) }, \(position))")
    default: return nil
    }
  }

  private func uri() -> PropertyAccess? {
    switch simpleName {
    case "URL": return PropertyAccess(required("_url(\(position))"), "_setUrl(newValue, \(position))")
    case "NSURL":
      return PropertyAccess(
        required("_url(\(position)).flatMap { \(named("NSURL"))(string: $0.absoluteString) }"),
        "_setUrl(\(optional("newValue")).flatMap { \(named("URL"))(string: $0.absoluteString) }, \(position))")
    default: return nil
    }
  }

  private func decimal() -> PropertyAccess? {
    switch simpleName {
    case "NSDecimalNumber":
      return PropertyAccess(required("_decimal(\(position))"), "_setDecimal(newValue, \(position))")
    case "NSNumber": return PropertyAccess(required("_number(\(position))"), "_setNumber(newValue, \(position))")
    case "Decimal":
      if type.isOptional {
        return PropertyAccess(
          "_decimal(\(position))?.decimalValue",
          "_setDecimal(newValue.map { \(named("NSDecimalNumber"))(decimal: $0) }, \(position))")
      }
      return PropertyAccess(
        "_decimal(\(position))?.decimalValue ?? 0",
        "_setDecimal(\(named("NSDecimalNumber"))(decimal: newValue), \(position))")
    default: return nil
    }
  }

  /// `newValue` as an optional, whatever it is.
  private func optional(_ expression: String) -> String {
    type.isOptional ? expression : "\(named("Optional"))(\(expression))"
  }

  private func bridged(_ accessor: String, to: String, back: String, absent: String?) -> PropertyAccess {
    let setter = "_set\(accessor.prefix(1).uppercased())\(accessor.dropFirst())"
    let getter = "_\(accessor)(\(position)).map { \(to) }"
    return PropertyAccess(
      type.isOptional ? getter : absent.map { "\(getter) ?? \($0)" } ?? required(getter),
      "\(setter)(\(optional("newValue")).map { \(back) }, \(position))")
  }

  private func any() -> PropertyAccess {
    PropertyAccess(cast("_any(\(position))"), "_setAny(newValue, \(position))")
  }

  /// An expression of type `Any?` as the property's type.
  private func cast(_ expression: String) -> String {
    switch type.unwrapped {
    case .any: return required(expression)
    case .anyObject: return required("\(expression).map { $0 as AnyObject }")
    case .generic(let nominal, _) where !type.isOptional && nominal.module == "Swift":
      let empty = nominal.path[0].name == "Dictionary" ? "[:]" : "[]"
      return "(\(expression) as? \(spelled(type.unwrapped))) ?? \(empty)"
    default: return required("\(expression) as? \(spelled(type.unwrapped))")
    }
  }

  // MARK: By name

  private static let numbers: Set<String> = [
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float",
    "Decimal",
  ]

  /// What reads as zero, or as empty, where there is nothing.
  private var zero: String? {
    switch simpleName {
    case let name where Self.numbers.contains(name): "0"
    case "Bool": "false"
    case "String": "\"\""
    case "Data", "NSSet", "NSOrderedSet", "NSString": "\(named(simpleName))()"
    default: nil
    }
  }

  func named() -> PropertyAccess {
    PropertyAccess(castByName("value(forKey: \"\(name)\")"), "setValue(newValue, forKey: \"\(name)\")")
  }

  func primitive() -> PropertyAccess {
    PropertyAccess(castByName("_primitive(\"\(name)\")"), "_setPrimitive(newValue, \"\(name)\")")
  }

  private func castByName(_ expression: String) -> String {
    if type.isOptional {
      if case .any = type.unwrapped { return expression }
      return "\(expression) as? \(spelled(type.unwrapped))"
    }
    if let zero = zero { return "(\(expression) as? \(spelled(type))) ?? \(zero)" }
    if case .generic(let nominal, _) = type, nominal.module == "Swift" {
      return "(\(expression) as? \(spelled(type))) ?? \(nominal.path[0].name == "Dictionary" ? "[:]" : "[]")"
    }
    if case .any = type { return "_required(\(expression), \"\(name)\")" }
    return "_required(\(expression) as? \(spelled(type)), \"\(name)\")"
  }

  // MARK: Relationships

  func relationship(_ relationship: NSRelationshipDescription) -> PropertyAccess? {
    if !relationship.isToMany { return toOne(relationship) }
    return relationship.isOrdered ? ordered() : unordered(relationship)
  }

  private func toOne(_ relationship: NSRelationshipDescription) -> PropertyAccess? {
    if simpleName == "NSManagedObject" || simpleName == "NSObject" {
      return PropertyAccess(
        required("_object(\(position))"),
        simpleName == "NSObject"
          ? "_setObject(newValue as? \(named("NSManagedObject")), \(position))" : "_setObject(newValue, \(position))")
    }
    guard case .nominal(let nominal) = type.unwrapped, accepts(nominal, for: relationship) else { return nil }
    return PropertyAccess(
      required("_typedObject(\(position), \(spelled(.nominal(nominal))).self)"), "_setObject(newValue, \(position))")
  }

  private func unordered(_ relationship: NSRelationshipDescription) -> PropertyAccess? {
    switch simpleName {
    case "NSSet":
      return PropertyAccess(
        type.isOptional ? "_set(\(position))" : "_set(\(position)) ?? \(named("NSSet"))()",
        "_setSet(newValue, \(position))")
    case "NSMutableSet":
      return PropertyAccess("mutableSetValue(forKey: \"\(name)\")", "_setSet(newValue, \(position))")
    default: break
    }
    guard case .generic(let set, let arguments) = type.unwrapped, set.module == "Swift", set.path[0].name == "Set",
      case .nominal(let element) = arguments[0]
    else { return nil }
    if element.module != plan.module, ["AnyHashable", "NSObject"].contains(element.path[0].name) {
      let name = element.path[0].name
      let mapped =
        "\(named("Set"))(_typedSet(\(position), \(named("NSManagedObject")).self).map { $0 as \(named(name)) })"
      return PropertyAccess(
        mapped, "_setSet(\(optional("newValue")).map { \(named("NSSet"))(array: \(named("Array"))($0)) }, \(position))")
    }
    guard accepts(element, for: relationship) else { return nil }
    return PropertyAccess(
      "_typedSet(\(position), \(spelled(.nominal(element))).self)", "_setTypedSet(newValue, \(position))")
  }

  private func ordered() -> PropertyAccess? {
    switch simpleName {
    case "NSOrderedSet":
      return PropertyAccess(
        type.isOptional ? "_orderedSet(\(position))" : "_orderedSet(\(position)) ?? \(named("NSOrderedSet"))()",
        "_setOrderedSet(newValue, \(position))")
    case "NSMutableOrderedSet":
      return PropertyAccess("mutableOrderedSetValue(forKey: \"\(name)\")", "_setOrderedSet(newValue, \(position))")
    default: return nil
    }
  }

  /// Whether a relationship's members are instances of a class.
  private func accepts(_ type: NominalType, for relationship: NSRelationshipDescription) -> Bool {
    guard type.kind == .classType else { return false }
    if type == NominalType("ObjectGraph", "NSManagedObject", .classType) { return true }
    // A class elsewhere is taken at its word; one of Foundation's is none of ours.
    if type.module != plan.module { return type.module != "Foundation" }
    guard let destination = relationship.destinationEntity,
      let className = plan.entities.first(where: { $0.description === destination })?.className,
      let destinationClass = plan.classes[className]
    else { return true }
    if destinationClass.type == type { return true }
    var next = destinationClass.superclass
    for _ in 0..<100 {
      guard let current = next else { return false }
      if current == type { return true }
      let name = current.path.map(\.name).joined(separator: ".")
      next = plan.classes[name].map { $0.superclass } ?? plan.types.superclass(of: current)
    }
    return false
  }
}

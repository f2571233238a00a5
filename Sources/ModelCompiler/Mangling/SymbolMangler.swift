/// The names that the compiler gives to accessors and methods: what `@NSManaged` declarations are called in object
/// files, and so what generated code must define.
///
/// This is the part of Swift's mangling that such declarations reach. The grammar is the compiler's; the test that
/// compiles classes and compares is what holds this to it.
public struct SymbolMangler {
  var buffer: [UInt8] = Array("$s".utf8)
  /// Words seen so far, by their place in the buffer.
  var words: [Word] = []
  private var substitutions: [Substituted: Int] = [:]
  private var merge = SubstitutionMerge()

  private enum Substituted: Hashable {
    case identifier(String)
    case type(SwiftType)
  }

  struct Word {
    var start: Int
    let length: Int
  }

  private init() {}

  /// The symbol of a property's getter.
  public static func getter(of property: MemberName, type: SwiftType) -> String {
    accessor(of: property, type: type, suffix: "vg")
  }

  /// The symbol of a property's setter.
  public static func setter(of property: MemberName, type: SwiftType) -> String {
    accessor(of: property, type: type, suffix: "vs")
  }

  /// The symbol of a method that returns nothing.
  /// - Parameter parameters: Argument labels, nil for `_`, and types.
  public static func method(_ name: MemberName, parameters: [(label: String?, type: SwiftType)]) -> String {
    var mangler = SymbolMangler()
    mangler.append(member: name)
    mangler.append(labels: parameters.map(\.label))
    mangler.append("y")
    mangler.append(parameters: parameters)
    mangler.append("F")
    return mangler.text
  }

  private static func accessor(of property: MemberName, type: SwiftType, suffix: String) -> String {
    var mangler = SymbolMangler()
    mangler.append(member: property)
    mangler.append(type: type)
    mangler.append(suffix)
    return mangler.text
  }

  private var text: String { String(decoding: buffer, as: UTF8.self) }

  mutating func append(_ text: String) { buffer.append(contentsOf: text.utf8) }

  // MARK: Declarations

  private mutating func append(member: MemberName) {
    append(nominal: member.owner)
    append(identifier: member.name)
    if let discriminator = member.privateDiscriminator {
      append(identifier: discriminator)
      append("LL")
    }
  }

  private mutating func append(labels: [String?]) {
    guard !labels.isEmpty else { return }
    if labels.allSatisfy({ $0 == nil }) { return append("y") }
    for label in labels {
      if let label { append(identifier: label) } else { append("_") }
    }
  }

  private mutating func append(parameters: [(label: String?, type: SwiftType)]) {
    guard let first = parameters.first else { return append("y") }
    append(type: first.type)
    // A lone parameter without a label is no tuple.
    if parameters.count == 1, first.label == nil { return }
    append("_")
    for parameter in parameters.dropFirst() { append(type: parameter.type) }
    append("t")
  }

  // MARK: Types

  private mutating func append(type: SwiftType) {
    switch type {
    case .any: append("yp")
    case .anyObject: append("yXl")
    case .nominal(let nominal): append(nominal: nominal)
    case .optional(let wrapped):
      if appendSubstitution(.type(type)) { return }
      append(type: wrapped)
      append("Sg")
      remember(.type(type))
    case .generic(let nominal, let arguments):
      if appendSubstitution(.type(type)) { return }
      append(nominal: nominal)
      append("y")
      for argument in arguments { append(type: argument) }
      append("G")
      remember(.type(type))
    }
  }

  private mutating func append(nominal: NominalType) {
    if nominal.module == "Swift", nominal.path.count == 1, let letter = Self.standardTypes[nominal.path[0].name] {
      return appendMerging("S", letter, isStandard: true)
    }
    if appendSubstitution(.type(.nominal(nominal))) { return }
    if let outer = nominal.outer {
      append(nominal: outer)
    } else if nominal.module == "Swift" {
      append("s")
    } else {
      append(identifier: nominal.module)
    }
    append(identifier: nominal.path[nominal.path.count - 1].name)
    append(nominal.kind.rawValue)
    remember(.type(.nominal(nominal)))
  }

  /// Types of the standard library that have a letter of their own.
  private static let standardTypes: [String: UInt8] = [
    "Array": UInt8(ascii: "a"), "Bool": UInt8(ascii: "b"), "Character": UInt8(ascii: "J"),
    "Dictionary": UInt8(ascii: "D"), "Double": UInt8(ascii: "d"), "Float": UInt8(ascii: "f"),
    "Int": UInt8(ascii: "i"), "Set": UInt8(ascii: "h"), "String": UInt8(ascii: "S"), "Substring": UInt8(ascii: "s"),
    "UInt": UInt8(ascii: "u"),
  ]

  // MARK: Substitutions

  mutating func append(identifier: String) {
    if appendSubstitution(.identifier(identifier)) { return }
    remember(.identifier(identifier))
    appendWords(of: identifier)
  }

  private mutating func remember(_ thing: Substituted) {
    substitutions[thing] = substitutions.count
  }

  private mutating func appendSubstitution(_ thing: Substituted) -> Bool {
    guard let index = substitutions[thing] else { return false }
    if index < 26 {
      appendMerging("A", UInt8(ascii: "A") + UInt8(index), isStandard: false)
    } else {
      append(index == 26 ? "A_" : "A\(index - 27)_")
    }
    return true
  }

  /// Appends a substitution, joined with the one just before it when there is one: `AB` + `AC` → `AbC`,
  /// `Si` + `Si` → `S2i`.
  private mutating func appendMerging(_ prefix: String, _ letter: UInt8, isStandard: Bool) {
    if merge.tryMerge(letter, isStandard: isStandard, buffer: &buffer) { return }
    append(prefix)
    buffer.append(letter)
  }
}

/// A member of a class: what its symbols are made from, besides types.
public struct MemberName: Hashable, Sendable {
  public let owner: NominalType
  public let name: String
  /// For `private` and `fileprivate` members; see `privateDiscriminator(module:fileName:)`.
  public let privateDiscriminator: String?

  public init(owner: NominalType, name: String, privateDiscriminator: String? = nil) {
    self.owner = owner
    self.name = name
    self.privateDiscriminator = privateDiscriminator
  }

  /// What tells private declarations of one file from those of another.
  /// - Parameter fileName: The last component of the file's path.
  public static func privateDiscriminator(module: String, fileName: String) -> String {
    "_" + MD5.hex(module + fileName)
  }
}

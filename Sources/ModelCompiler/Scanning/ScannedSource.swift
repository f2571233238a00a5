/// Where something stands in a file.
public struct SourceLocation: Hashable, Sendable {
  public let path: String
  public let line: Int
  public let column: Int

  public init(path: String, line: Int, column: Int = 1) {
    self.path = path
    self.line = line
    self.column = column
  }
}

/// A type as it is written, before its names are looked up.
public indirect enum WrittenType: Hashable, Sendable {
  /// `A.B<C>`: components, and the arguments of the last one.
  case name([String], arguments: [WrittenType])
  case optional(WrittenType)
  case array(WrittenType)
  case dictionary(WrittenType, WrittenType)
  /// Something else, such as a function type.
  case other(String)
}

/// What a Swift file declares that matters to managed objects.
public struct ScannedSource: Sendable {
  public var types: [ScannedType] = []
  public var imports: [String] = []
  /// The imports that say how far they reach, as in `public import Foundation`.
  public var explicitImports: Set<String> = []
  /// Where `@NSManaged` stands in a function's body, outside of conditional compilation.
  public var managedInBodies: [SourceLocation] = []
}

/// The declaration of a type or an extension of one.
public struct ScannedType: Sendable {
  public enum Kind: String, Sendable { case `class`, `struct`, `enum`, actor, `protocol`, `extension`, `typealias` }

  public let kind: Kind
  /// The type's name with those of the types around it; for an extension, as it is written.
  public let path: [String]
  public let access: AccessLevel
  public let inheritance: [WrittenType]
  /// What a `typealias` stands for.
  public let aliased: WrittenType?
  public let isGeneric: Bool
  public let location: SourceLocation
  /// The conditional compilation around it, as one condition.
  public let condition: String?
  public var properties: [ScannedProperty] = []
  public var methods: [ScannedMethod] = []
  /// Methods `validate<Key>(_:)` as Core Data calls them.
  public var validators: [ScannedMethod] = []
  /// Names of all properties, managed ones and others.
  public var propertyNames: Set<String> = []
  /// Names of all methods, managed ones and others, with their labels.
  public var methodNames: Set<String> = []
}

/// An `@NSManaged var`.
public struct ScannedProperty: Sendable {
  public let name: String
  public let type: WrittenType
  public let access: AccessLevel
  public let location: SourceLocation
  public let condition: String?
}

/// A `func`.
public struct ScannedMethod: Sendable {
  public struct Parameter: Sendable {
    /// nil for `_`.
    public let label: String?
    public let type: WrittenType
  }

  public let name: String
  public let parameters: [Parameter]
  public let returnsValue: Bool
  public let access: AccessLevel
  public let location: SourceLocation
  public let condition: String?

  /// Whether it is one that Core Data calls by its name: `validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>)`.
  var isValidator: Bool {
    guard name.hasPrefix("validate"), name.count > 8, parameters.count == 1, parameters[0].label == nil,
      !returnsValue, case .name(let names, let arguments) = parameters[0].type
    else { return false }
    return names.last == "AutoreleasingUnsafeMutablePointer"
      && arguments == [.optional(.name(["AnyObject"], arguments: []))]
  }

  /// The name with labels, such as `insertIntoSteps(_:at:)`.
  public var fullName: String { "\(name)(\(parameters.map { ($0.label ?? "_") + ":" }.joined()))" }
}

public enum AccessLevel: Int, Sendable, Comparable {
  case `private`, `fileprivate`, `internal`, package, `public`, open

  public static func < (left: AccessLevel, right: AccessLevel) -> Bool { left.rawValue < right.rawValue }

  init?(word: String) {
    switch word {
    case "private": self = .private
    case "fileprivate": self = .fileprivate
    case "internal": self = .internal
    case "package": self = .package
    case "public": self = .public
    case "open": self = .open
    default: return nil
    }
  }
}

extension WrittenType: CustomStringConvertible {
  public var description: String {
    switch self {
    case .name(let names, let arguments):
      let base = names.joined(separator: ".")
      return arguments.isEmpty ? base : "\(base)<\(arguments.map(\.description).joined(separator: ", "))>"
    case .optional(let wrapped): return "\(wrapped)?"
    case .array(let element): return "[\(element)]"
    case .dictionary(let key, let value): return "[\(key): \(value)]"
    case .other(let text): return text
    }
  }
}

/// The name of a method. Linux has no Objective-C selectors; sort descriptors and function expressions take names.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The method’s name with its colons.
  public let name: String
  /// A selector by its name.
  public init(_ name: String) { self.name = name }
  /// A selector by its name.
  public init(stringLiteral name: String) { self.name = name }
  /// The name.
  public var description: String { name }
}

/// As in Foundation for Apple's platforms.
public func NSStringFromSelector(_ selector: Selector) -> String { selector.name }

/// As in Foundation for Apple's platforms.
public func NSSelectorFromString(_ name: String) -> Selector { Selector(name) }

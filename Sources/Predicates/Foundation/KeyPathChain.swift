internal import Foundation

/// Finds the name of a key path of several properties, such as `\Post.author?.editor!.name`, by putting the same key path
/// together from those of single properties, step by step, until the two are equal.
///
/// A property that is computed in Swift is no step: a path through it stays without a name, as it has to, since no store
/// could follow it.
struct KeyPathChain {
  let asked: AnyKeyPath
  private let valueType: any Any.Type

  /// Longer chains than anyone writes; more candidates than a model with dozens of to-one relationships a class has.
  private static let longest = 8
  private static let mostCandidates = 20_000

  init(asked: AnyKeyPath) {
    self.asked = asked
    valueType = type(of: asked).valueType
  }

  private struct Prefix {
    let path: AnyKeyPath
    let name: String
  }

  func name() -> String? {
    var reached: [Prefix] = KeyPathNames.properties(of: type(of: asked).rootType).map {
      Prefix(path: $0.path, name: $0.name)
    }
    var candidates = 0
    for _ in 1..<Self.longest {
      var next: [Prefix] = []
      for prefix in reached {
        for step in steps(from: type(of: prefix.path).valueType) {
          candidates += 1
          guard candidates <= Self.mostCandidates else { return nil }
          guard let path = prefix.path.appending(path: step.path) else { continue }
          let longer = Prefix(path: path, name: "\(prefix.name).\(step.name)")
          if isAsked(path) { return longer.name }
          if leadsOn(type(of: path).valueType) { next.append(longer) }
        }
      }
      if next.isEmpty { return nil }
      reached = next
    }
    return nil
  }

  /// What may follow a value: `.name` for a class, `?.name` and `!.name` for an optional one.
  private func steps(from type: any Any.Type) -> [NamedKeyPath] {
    guard leadsOn(type) else { return [] }
    guard let optional = type as? any OptionalType.Type else { return KeyPathNames.properties(of: type) }
    let forced: AnyKeyPath = optional.forced
    let unwrapped: [NamedKeyPath] = KeyPathNames.properties(of: optional.wrapped).compactMap { property in
      forced.appending(path: property.path).map { NamedKeyPath(path: $0, name: property.name) }
    }
    return KeyPathNames.properties(of: type) + unwrapped
  }

  private func leadsOn(_ type: any Any.Type) -> Bool {
    ((type as? any OptionalType.Type)?.wrapped ?? type) is AnyClass
  }

  /// Whether a path is the one asked for.
  ///
  /// Key paths also compare which part of them leads to a reference, and that depends on how they were made; a step
  /// through a reference behind both makes all in front of it such a part.
  private func isAsked(_ path: AnyKeyPath) -> Bool {
    guard type(of: path).valueType == valueType else { return false }
    if path == asked { return true }
    guard let anchor = (valueType as? any Anchored.Type)?.anchor else { return false }
    return path.appending(path: anchor) == asked.appending(path: anchor)
  }
}

/// What a key path's value type says of itself without its type being known.
protocol OptionalType {
  static var wrapped: any Any.Type { get }
  /// `\Wrapped?.self!`
  static var forced: AnyKeyPath { get }
}

extension Optional: OptionalType {
  static var wrapped: any Any.Type { Wrapped.self }
  static var forced: AnyKeyPath { \Self.self! }
}

/// A type of values that a key path can be led on from, through a reference.
protocol Anchored {}

/// What an anchor leads to.
final class Anchor {
  final var end = 0
}

extension Anchored {
  fileprivate var reference: Anchor { Anchor() }
  static var anchor: AnyKeyPath { \Self.reference.end }
}

extension Optional: Anchored {}
extension NSObject: Anchored {}
extension String: Anchored {}
extension Bool: Anchored {}
extension Int: Anchored {}
extension Int16: Anchored {}
extension Int32: Anchored {}
extension Int64: Anchored {}
extension Float: Anchored {}
extension Double: Anchored {}
extension Date: Anchored {}
extension Data: Anchored {}
extension UUID: Anchored {}
extension URL: Anchored {}
extension Decimal: Anchored {}
extension Set: Anchored {}
extension Array: Anchored {}
extension Dictionary: Anchored {}

public import Foundation
internal import Schema

/// Gives Foundation's predicate class the initialisers it lacks on Linux: an initialiser in an extension of a protocol
/// may return an instance of a subclass, and is chosen over Foundation's, which are marked unavailable.
public protocol PredicateFactory {}

extension NSPredicate: PredicateFactory {}

extension PredicateFactory where Self: NSPredicate {
  /// A predicate from its format text.
  ///
  /// - Parameters:
  ///   - format: for instance `"name BEGINSWITH[cd] %@ AND age > %d"`.
  ///   - arguments: what `%@`, `%K`, `%d` and so on stand for, in order. `nil` and `NSNull` stand for no value.
  ///
  /// Stops the program when the text or the arguments are wrong, saying where; use `init(parsing:arguments:)` for text
  /// that is not part of the program.
  public init(format: String, _ arguments: Any?...) {
    self.init(format: format, checked: arguments)
  }

  /// A predicate from its format text, with its arguments in an array.
  public init(format: String, argumentArray arguments: [Any]?) {
    self.init(format: format, checked: arguments ?? [])
  }

  /// A predicate from a text that may be wrong.
  ///
  /// - Throws: `QueryError` with the column and what was expected there.
  public init(parsing format: String, arguments: [Any?] = []) throws(QueryError) {
    let parsed: NSPredicate = try parsePredicate(format, arguments: arguments)
    guard let result = parsed as? Self else {
      throw QueryError(.syntax, "The format “\(format)” does not give a \(Self.self) but a \(type(of: parsed)).")
    }
    self = result
  }

  private init(format: String, checked arguments: [Any?]) {
    do throws(QueryError) {
      self = try Self(parsing: format, arguments: arguments)
    } catch {
      ProgrammerError.stop(error.message)
    }
  }

  /// A copy in which constants take the place of variables; those without a value stay.
  public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
    guard let result = substituting(variables, in: self) as? Self else { return self }
    return result
  }
}

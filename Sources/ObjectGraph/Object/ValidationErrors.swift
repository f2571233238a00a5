internal import Foundation
internal import Predicates
internal import Schema

/// Gathers validation errors as Core Data does: one stands for itself, several go under one.
enum ValidationErrors {
  /// The single errors in an error.
  static func parts(of error: any Error) -> [any Error] {
    let outer: NSError = error as NSError
    guard outer.code == NSValidationMultipleErrorsError, outer.domain == NSCocoaErrorDomain,
      let details = outer.userInfo[NSDetailedErrorsKey] as? [any Error]
    else { return [error] }
    return details
  }

  static func throwIfAny(_ problems: [any Error]) throws {
    guard let first = problems.first else { return }
    guard problems.count > 1 else { throw first }
    let texts: [String] = problems.prefix(5).map { $0.localizedDescription }
    let more: String = problems.count > 5 ? " And \(problems.count - 5) more." : ""
    throw GraphError.make(
      NSValidationMultipleErrorsError, "\(problems.count) validation errors: \(texts.joined(separator: " "))\(more)",
      userInfo: [NSDetailedErrorsKey: problems])
  }

  /// The code of a rule that a program gave as a predicate, by what it compares.
  static func code(of predicate: NSPredicate, for property: PropertySchema) -> Int {
    guard let comparison = predicate as? Predicates.NSComparisonPredicate, let type = property.attribute?.type else {
      return NSManagedObjectValidationError
    }
    let isUpper: Bool
    switch comparison.predicateOperatorType {
    case .matches: return NSValidationStringPatternMatchingError
    case .lessThan, .lessThanOrEqualTo: isUpper = true
    case .greaterThan, .greaterThanOrEqualTo: isUpper = false
    default: return NSManagedObjectValidationError
    }
    switch type {
    case .string: return isUpper ? NSValidationStringTooLongError : NSValidationStringTooShortError
    case .date: return isUpper ? NSValidationDateTooLateError : NSValidationDateTooSoonError
    case .integer16, .integer32, .integer64, .decimal, .double, .float:
      return isUpper ? NSValidationNumberTooLargeError : NSValidationNumberTooSmallError
    default: return NSManagedObjectValidationError
    }
  }
}

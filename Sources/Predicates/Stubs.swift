internal import Foundation
internal import Schema

func parsePredicate(_ format: String, arguments: [Any?]) throws(PredicateError) -> NSPredicate {
  throw PredicateError(.unsupported, "Formats cannot be parsed yet.")
}

func parseExpression(_ format: String, arguments: [Any?]) throws(PredicateError) -> NSExpression {
  throw PredicateError(.unsupported, "Formats cannot be parsed yet.")
}

func substituting(_ variables: [String: Any], in predicate: NSPredicate) -> NSPredicate { predicate }

func evaluateOrStop(_ predicate: NSPredicate, object: Any?, variables: [String: Any]) -> Bool {
  ProgrammerError.stop("Predicates cannot be evaluated yet.")
}

struct DynamicEvaluator {
  var object: Any?
  var variables: [String: Any]
  var context: NSMutableDictionary?
  struct Result { var anyValue: Any? }
  func value(of expression: NSExpression) throws(PredicateError) -> Result {
    throw PredicateError(.unsupported, "Expressions cannot be evaluated yet.")
  }
}

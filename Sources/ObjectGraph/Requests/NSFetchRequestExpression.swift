public import Foundation
public import Predicates
internal import Schema

/// A fetch request as an expression: its value is what the request finds, or how much.
open class NSFetchRequestExpression: Predicates.NSExpression {
  private let storedRequest: Predicates.NSExpression
  private let storedContext: Predicates.NSExpression
  /// Whether the value is the number of results only.
  public let isCountOnlyRequest: Bool

  private init(_ request: Predicates.NSExpression, _ context: Predicates.NSExpression, countOnly: Bool) {
    storedRequest = request
    storedContext = context
    isCountOnlyRequest = countOnly
    super.init(expressionType: .fetchRequest)
  }

  /// An expression that executes a request.
  ///
  /// - Parameters:
  ///   - fetch: gives the `NSFetchRequest`.
  ///   - context: gives the `NSManagedObjectContext`.
  ///   - countFlag: whether the value is the number of results only.
  open class func expression(
    forFetch fetch: Predicates.NSExpression, context: Predicates.NSExpression, countOnly countFlag: Bool
  ) -> Predicates.NSExpression {
    NSFetchRequestExpression(fetch, context, countOnly: countFlag)
  }

  /// Gives the request.
  open var request: Predicates.NSExpression { storedRequest }
  /// Gives the context.
  open var context: Predicates.NSExpression { storedContext }

  /// Executes the request. Stops the program when it can't be executed.
  open override func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
    let request: Any? = storedRequest.expressionValue(with: object, context: context)
    let place: Any? = storedContext.expressionValue(with: object, context: context)
    guard let request = request as? any FetchSettingsHolder, let place = place as? NSManagedObjectContext else {
      ProgrammerError.stop(
        "A fetch request expression needs a fetch request and a context: \(storedRequest), \(storedContext).")
    }
    do {
      let found: [Any] = try request.results(in: place)
      return isCountOnlyRequest ? NSNumber(value: found.count) : found
    } catch {
      ProgrammerError.stop("A fetch request expression can't be evaluated. \(error.localizedDescription)")
    }
  }
}

internal import Foundation
internal import Schema

extension NSExpression {
  /// An expression from its format text, for instance `"price * %d"`.
  ///
  /// Stops the program when the text or the arguments are wrong; `init(parsing:arguments:)` throws instead.
  public convenience init(format: String, _ arguments: Any?...) {
    self.init(format: format, checked: arguments)
  }

  /// An expression from its format text, with its arguments in an array.
  public convenience init(format: String, argumentArray arguments: [Any]) {
    self.init(format: format, checked: arguments)
  }

  /// An expression from a text that may be wrong.
  ///
  /// - Throws: `QueryError` with the column and what was expected there.
  public convenience init(parsing format: String, arguments: [Any?] = []) throws(QueryError) {
    self.init(kind: try parseExpression(format, arguments: arguments).kind)
  }

  private convenience init(format: String, checked arguments: [Any?]) {
    do throws(QueryError) {
      self.init(kind: try parseExpression(format, arguments: arguments).kind)
    } catch {
      ProgrammerError.stop(error.message)
    }
  }
}

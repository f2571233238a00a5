/// What a history request returned.
public final class NSPersistentHistoryResult: NSPersistentStoreResult {
  /// Typed by `resultType`: see `NSPersistentHistoryResultType`.
  public let result: Any?
  /// What kind of result was asked for.
  public let resultType: NSPersistentHistoryResultType

  init(_ result: Any?, _ resultType: NSPersistentHistoryResultType) {
    self.result = result
    self.resultType = resultType
    super.init()
  }
}

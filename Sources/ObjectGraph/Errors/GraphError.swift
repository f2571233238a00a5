package import Foundation
internal import Schema

/// Makes the errors that this package throws: Core Data's codes in `NSCocoaErrorDomain`, a sentence for people, and
/// the layer's own typed error under `NSUnderlyingErrorKey`.
///
/// They are `CocoaError` values, since those can be caught as `CocoaError`, by code, and as `NSError`.
package enum GraphError {
  /// What was being done when a layer below refused: the same refusal has other codes when opening and when saving.
  package enum Operation: Sendable {
    case open, save, fetch, history

    fileprivate var fallbackCode: Int {
      switch self {
      case .open: NSPersistentStoreOpenError
      case .save: NSPersistentStoreSaveError
      case .fetch, .history: NSPersistentStoreOperationError
      }
    }

    fileprivate var verb: String {
      switch self {
      case .open: "opened"
      case .save: "saved to"
      case .fetch: "read"
      case .history: "asked for history"
      }
    }
  }

  /// An error with a code of Core Data's.
  ///
  /// - Parameters:
  ///   - code: one of the constants in `ErrorCodes.swift`.
  ///   - message: what happened, to what, and what to do about it, in whole sentences.
  ///   - reason: a sentence on the cause, when `message` does not say it.
  package static func make(
    _ code: Int, _ message: String, reason: String? = nil, underlying: (any Error)? = nil,
    userInfo: [String: Any] = [:]
  ) -> CocoaError {
    var info: [String: Any] = userInfo
    info[NSLocalizedDescriptionKey] = message
    if let reason { info[NSLocalizedFailureReasonErrorKey] = reason }
    if let underlying { info[NSUnderlyingErrorKey] = underlying }
    return CocoaError(CocoaError.Code(rawValue: code), userInfo: info)
  }

  /// An error of a layer below, under the code that Core Data has for it.
  ///
  /// - Parameters:
  ///   - operation: what was being done.
  ///   - store: how to name the store in the message, usually its URL.
  ///   - userInfo: affected objects and stores.
  package static func wrapping(
    _ error: any Error, during operation: Operation, store: String? = nil, userInfo: [String: Any] = [:]
  ) -> CocoaError {
    if let error = error as? CocoaError { return error }
    guard let storeError = error as? StoreError else {
      return make(
        operation.fallbackCode, "\(prefix(operation, store))\(text(of: error))", underlying: error, userInfo: userInfo)
    }
    if let own = storeError.underlying as? ProgramStoreError {
      if let error = own.error as? CocoaError { return error }
      return make(
        operation.fallbackCode, "\(prefix(operation, store))\(storeError.message)", underlying: own.error,
        userInfo: userInfo)
    }
    var info: [String: Any] = userInfo
    if let path = storeError.path { info[NSFilePathErrorKey] = path }
    let known: String = storeError.description
    // The layer below names its files itself; naming the store's URL again would only repeat it.
    let message: String = storeError.path == nil ? prefix(operation, store) + known : known
    return make(code(of: storeError, during: operation), message, underlying: storeError, userInfo: info)
  }

  private static func prefix(_ operation: Operation, _ store: String?) -> String {
    guard let store else { return "" }
    return "The store \(store) can't be \(operation.verb). "
  }

  private static func text(of error: any Error) -> String {
    if let described = (error as? any LocalizedError)?.errorDescription { return described }
    return String(describing: error)
  }

  private static func code(of error: StoreError, during operation: Operation) -> Int {
    switch error.code {
    case .incompatibleSchema:
      return operation == .open
        ? NSPersistentStoreIncompatibleVersionHashError : NSPersistentStoreIncompatibleSchemaError
    case .missingObject: return NSManagedObjectReferentialIntegrityError
    case .invalidToken: return NSPersistentHistoryTokenExpiredError
    case .unsupported where operation != .open: return NSPersistentStoreUnsupportedRequestTypeError
    default: return operation.fallbackCode
    }
  }
}

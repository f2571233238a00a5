public import Foundation
internal import Schema

/// What Objective-C code raises. Absent from Foundation on Linux, where nothing can catch it: raising one stops the
/// program with its name and reason.
open class NSException: NSObject {
  /// What kind of exception it is.
  public let name: NSExceptionName
  /// What went wrong.
  public let reason: String?
  /// More about it.
  public let userInfo: [AnyHashable: Any]?

  /// An exception, not raised yet.
  public init(name aName: NSExceptionName, reason aReason: String?, userInfo aUserInfo: [AnyHashable: Any]? = nil) {
    name = aName
    reason = aReason
    userInfo = aUserInfo
    super.init()
  }

  /// Stops the program with the exception's name and reason.
  open func raise() { ProgrammerError.stop("\(name.rawValue): \(reason ?? "no reason given")") }
}

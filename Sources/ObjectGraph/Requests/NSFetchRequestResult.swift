public import Foundation

/// What a fetch can return: objects, ids, dictionaries and numbers.
///
/// Swift without Objective-C lets no protocol conform to itself, so `NSFetchRequest`'s parameter is not constrained to
/// it: `NSFetchRequest<NSFetchRequestResult>` must go on compiling.
public protocol NSFetchRequestResult: NSObjectProtocol {}

extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}

internal import Foundation
public import Predicates

extension NSPersistentHistoryTransaction: KeyValueObject {
  /// The attributes of `entityDescription`, for predicates.
  public func predicateValue(forKey key: String) -> Any? {
    switch key {
    case "author": author
    case "bundleID": bundleID
    case "contextName": contextName
    case "processID": processID
    case "storeID": storeID
    case "timestamp": timestamp
    case "transactionNumber": NSNumber(value: transactionNumber)
    default: nil
    }
  }
}

extension NSPersistentHistoryChange: KeyValueObject {
  /// The attributes of `entityDescription`, for predicates.
  public func predicateValue(forKey key: String) -> Any? {
    switch key {
    case "changeID": NSNumber(value: changeID)
    case "changeType": NSNumber(value: changeType.rawValue)
    case "changedEntity": changedObjectID.entity.name
    case "changedObjectID": changedObjectID
    case "transaction": transaction
    default: nil
    }
  }
}

public import Foundation

extension Notification.Name {
  /// Posted when transactions of other peers were taken in. Nothing posts it yet: stores refuse to be opened for sync.
  public static let NSPersistentStoreDidImportUbiquitousContentChanges =
    Notification.Name("com.apple.coredata.ubiquity.importer.didfinishimport")
}

/// Why stores are swapped: `UInt` in the `userInfo` of the coordinator's notifications.
public let NSPersistentStoreUbiquitousTransitionTypeKey: String = "NSPersistentStoreUbiquitousTransitionTypeKey"

/// Why stores are swapped.
public enum NSPersistentStoreUbiquitousTransitionType: UInt, Sendable {
  case accountAdded = 1
  case accountRemoved = 2
  case contentRemoved = 3
  case initialImportCompleted = 4
}

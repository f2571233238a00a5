internal import Foundation

/// Reads options that came as `Bool`, numbers or `NSNumber`, and refuses by name those that ask for what is not there.
struct StoreOptionReading {
  let options: [AnyHashable: Any]

  func flag(_ key: String) -> Bool {
    guard let value = options[key] else { return false }
    if let value = value as? Bool { return value }
    return (value as? NSNumber)?.boolValue ?? false
  }

  /// Seconds; 0 without the option.
  var timeout: TimeInterval {
    guard let value = options[NSPersistentStoreTimeoutOption] else { return 0 }
    if let value = value as? NSNumber { return value.doubleValue }
    return (value as? Double) ?? (value as? Int).map { Double($0) } ?? 0
  }

  /// - Throws: `NSPersistentStoreOpenError` that names the option and says what to do.
  func refuseUnavailable() throws {
    let refused: [(key: String, why: String)] = [
      (NSPersistentStoreDeferredLightweightMigrationOptionKey, "migration is not available yet"),
      (NSIgnorePersistentStoreVersioningOption, "a store can only be read with the model it was written with"),
    ]
    for (key, why) in refused where flag(key) { throw Self.unavailable(key, why) }
    if let key = Self.ubiquityOptions.first(where: { options[$0] != nil }) {
      throw Self.unavailable(key, "sync through a shared folder is not available yet")
    }
    if options[NSPersistentStoreStagedMigrationManagerOptionKey] != nil {
      throw Self.unavailable(NSPersistentStoreStagedMigrationManagerOptionKey, "migration is not available yet")
    }
  }

  /// Options of sync through a shared folder.
  private static let ubiquityOptions: [String] = [
    NSPersistentStoreUbiquitousContentNameKey, NSPersistentStoreUbiquitousContentURLKey,
    NSPersistentStoreUbiquitousPeerTokenOption, NSPersistentStoreUbiquitousContainerIdentifierKey,
    NSPersistentStoreRemoveUbiquitousMetadataOption, NSPersistentStoreRebuildFromUbiquitousContentOption,
  ]

  private static func unavailable(_ key: String, _ why: String) -> any Error {
    GraphError.make(NSPersistentStoreOpenError, "The store option \(key) can't be followed: \(why). Leave it out.")
  }
}

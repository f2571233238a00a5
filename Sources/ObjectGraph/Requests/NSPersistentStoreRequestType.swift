/// Kinds of requests.
public enum NSPersistentStoreRequestType: UInt, Sendable {
  /// A request class that this package does not know.
  case unknownRequestType = 0
  case fetchRequestType = 1
  case saveRequestType = 2
  case batchInsertRequestType = 5
  case batchUpdateRequestType = 6
  case batchDeleteRequestType = 7
  case persistentHistoryRequestType = 8
}

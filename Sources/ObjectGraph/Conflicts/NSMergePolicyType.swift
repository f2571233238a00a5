/// What a merge policy does with conflicts.
public enum NSMergePolicyType: UInt, Sendable {
  /// Nothing: the save throws.
  case errorMergePolicyType = 0
  /// Property by property; what changed on both sides takes the store's value.
  case mergeByPropertyStoreTrumpMergePolicyType
  /// Property by property; what changed on both sides takes the object's value.
  case mergeByPropertyObjectTrumpMergePolicyType
  /// The whole object in memory replaces the stored one.
  case overwriteMergePolicyType
  /// The stored object replaces the one in memory.
  case rollbackMergePolicyType
}

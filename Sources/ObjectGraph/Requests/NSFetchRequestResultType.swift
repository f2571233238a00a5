/// What a fetch request returns for each object that it finds.
public struct NSFetchRequestResultType: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The objects: the default.
  public static let managedObjectResultType: NSFetchRequestResultType = []
  /// Their ids.
  public static let managedObjectIDResultType = NSFetchRequestResultType(rawValue: 1)
  /// A dictionary of the properties asked for, from committed values only.
  public static let dictionaryResultType = NSFetchRequestResultType(rawValue: 2)
  /// One number: how many there are.
  public static let countResultType = NSFetchRequestResultType(rawValue: 4)
}

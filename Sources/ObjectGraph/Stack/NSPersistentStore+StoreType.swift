extension NSPersistentStore {
  /// A type of store, typed.
  public struct StoreType: RawRepresentable, Hashable, Sendable {
    /// The type as the string constants have it.
    public let rawValue: String

    /// A type by its string.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The log store, in a directory at the URL.
    public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
    /// Known by name, not available.
    public static let xml = StoreType(rawValue: NSXMLStoreType)
    /// Known by name, not available.
    public static let binary = StoreType(rawValue: NSBinaryStoreType)
    /// The log store in memory.
    public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
  }
}

// Types of stores, by Core Data's names.

/// The log store. Named as in Core Data, so that ported code runs: nothing in it is SQLite.
public let NSSQLiteStoreType: String = "SQLite"
/// A store in one XML file: known by name, not available.
public let NSXMLStoreType: String = "XML"
/// A store in one binary file: known by name, not available.
public let NSBinaryStoreType: String = "Binary"
/// The log store in memory.
public let NSInMemoryStoreType: String = "InMemory"

package import Schema
package import StoreContract

/// What makes stores of our own kind. The graph does not import it: the umbrella's class is found by name, so that
/// the graph can be built and tested with other stores.
package protocol StoreFactory: AnyObject {
  /// Opens a store, making it when there is none and it is not read only.
  static func open(_ opening: StoreOpening) throws -> any ObjectStore

  /// Removes a store that nobody has open, with everything in its directory that is its own.
  ///
  /// - Parameter options: the options of the store, which may name another file system than the disk's.
  static func destroy(directory: String, options: [AnyHashable: Any]) throws

  /// Whether there is a store in a directory.
  static func exists(directory: String, options: [AnyHashable: Any]) throws -> Bool

  /// What stores in memory are kept in: the value of `fileSystemOption` for whoever opens one, or copies to or from it.
  static func memory() -> Any

  /// Copies a store with its identity and history, as its last commit left it. The source may be open, and be written
  /// meanwhile.
  ///
  /// - Parameter destination: a directory, where a store that nobody has open is replaced: a crash leaves the one or the
  ///   other. Or memory that is empty.
  static func copy(from source: StoreOpening, to destination: StoreOpening) throws
}

/// Which store to open, and how.
package struct StoreOpening {
  package enum Place: Hashable {
    case directory(String)
    /// In the memory that the options name, gone with it.
    case memory
  }

  package var place: Place
  /// `nil` takes the schema that the store was written with.
  package var schema: Schema?
  package var isReadOnly: Bool
  package var options: [AnyHashable: Any]

  package init(place: Place, schema: Schema?, isReadOnly: Bool, options: [AnyHashable: Any] = [:]) {
    self.place = place
    self.schema = schema
    self.isReadOnly = isReadOnly
    self.options = options
  }
}

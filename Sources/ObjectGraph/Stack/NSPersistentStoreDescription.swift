public import Foundation

/// Which store to load, and how: what a container is given before it loads.
///
/// Made and changed by one thread at a time.
open class NSPersistentStoreDescription: NSObject, NSCopying {
  /// The store's type: `NSSQLiteStoreType`, our log store, unless set.
  open var type: String = NSSQLiteStoreType
  /// The configuration of the model whose entities the store holds; `nil` for all.
  open var configuration: String?
  /// The directory of the store; `/dev/null` for memory of its own, `/dev/null/NAME` for memory shared by that name.
  open var url: URL?
  /// Whether adding the store returns at once and calls back later, on another thread: false unless set.
  open var shouldAddStoreAsynchronously: Bool = false

  /// The options given to the store: see `StoreOptions.swift` for what each does here.
  open private(set) var options: [String: NSObject] = [
    NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
    NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
  ]

  /// A description without a URL: of a store in memory, as `/dev/null` means.
  public override init() {
    url = URL(fileURLWithPath: "/dev/null")
    super.init()
  }

  /// - Parameter url: the directory of the store, made when it is not there.
  public init(url: URL) {
    self.url = url
    super.init()
  }

  /// Sets an option, or with `nil` removes it.
  open func setOption(_ option: NSObject?, forKey key: String) { options[key] = option }

  /// Opens the store for reading only.
  open var isReadOnly: Bool {
    get { flag(NSReadOnlyPersistentStoreOption) }
    set { options[NSReadOnlyPersistentStoreOption] = NSNumber(value: newValue) }
  }

  /// Seconds to wait for another process to let go of the store; 0, unless set, does not wait.
  open var timeout: TimeInterval {
    get { (options[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 0 }
    set { options[NSPersistentStoreTimeoutOption] = NSNumber(value: newValue) }
  }

  /// Pragmas given for SQLite. They are kept and have no effect: the store is a log, and its commits are always synced.
  open var sqlitePragmas: [String: NSObject] {
    (options[NSSQLitePragmasOption] as? NSDictionary as? [String: NSObject]) ?? [:]
  }

  /// Keeps a pragma, which has no effect: see `sqlitePragmas`.
  open func setValue(_ value: NSObject?, forPragmaNamed name: String) {
    var pragmas: [String: NSObject] = sqlitePragmas
    pragmas[name] = value
    let box = NSMutableDictionary()
    for (name, value) in pragmas { box.setObject(value, forKey: NSString(string: name)) }
    options[NSSQLitePragmasOption] = pragmas.isEmpty ? nil : box
  }

  /// Whether a store of an older model is to be migrated. Migration is not available: such a store fails to open.
  open var shouldMigrateStoreAutomatically: Bool {
    get { flag(NSMigratePersistentStoresAutomaticallyOption) }
    set { options[NSMigratePersistentStoresAutomaticallyOption] = NSNumber(value: newValue) }
  }

  /// Whether the mapping of a migration is inferred. Migration is not available: see
  /// `shouldMigrateStoreAutomatically`.
  open var shouldInferMappingModelAutomatically: Bool {
    get { flag(NSInferMappingModelAutomaticallyOption) }
    set { options[NSInferMappingModelAutomaticallyOption] = NSNumber(value: newValue) }
  }

  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSPersistentStoreDescription()
    copy.type = type
    copy.configuration = configuration
    copy.url = url
    copy.shouldAddStoreAsynchronously = shouldAddStoreAsynchronously
    copy.options = options
    return copy
  }

  open override var description: String {
    "<NSPersistentStoreDescription: \(type), \(url?.path ?? "no URL")>"
  }

  private func flag(_ key: String) -> Bool { (options[key] as? NSNumber)?.boolValue ?? false }
}

public import Foundation
public import Model
internal import Schema

/// The whole stack in one object: a model, a coordinator, the stores to load, and contexts on them.
///
/// May be used from any thread; `viewContext` belongs to the main queue.
open class NSPersistentContainer: NSObject, @unchecked Sendable {
  // unchecked: `descriptions` and `loaded` are read and written under `lock` only; the rest is fixed.
  private let lock = NSLock()
  private var descriptions: [NSPersistentStoreDescription] = []
  /// Descriptions whose store was added.
  private var loaded: [NSPersistentStoreDescription] = []

  /// The name given: of the model file, and of the store unless the description says otherwise.
  public let name: String
  /// The model that the container was made with or found.
  public let managedObjectModel: NSManagedObjectModel
  /// The coordinator of all the container’s contexts and stores.
  public let persistentStoreCoordinator: NSPersistentStoreCoordinator
  /// The context of the main queue. It saves to the coordinator.
  public let viewContext: NSManagedObjectContext

  /// A container whose model is found by name: in the main bundle, in the models that the build plugin compiled into
  /// the caller's module, or beside the executable.
  ///
  /// Stops the program when there is no such model, saying where it looked.
  ///
  /// - Parameters:
  ///   - name: the model file's name without its extension.
  ///   - fileID: tells the caller's module: leave it out.
  public convenience init(name: String, fileID: String = #fileID) {
    var modules: [String] = [ModelLookup.module(ofFileID: fileID)]
    let own: String = ModelLookup.module(of: Self.self)
    if !modules.contains(own) && own != "ObjectGraph" { modules.append(own) }
    let model: NSManagedObjectModel = ModelLookup(name: name, modules: modules).model()
    self.init(name: name, managedObjectModel: model)
  }

  /// A container for a model at hand.
  ///
  /// - Parameters:
  ///   - name: of the store's directory: `NAME.sqlite` in `defaultDirectoryURL()`.
  ///   - model: the model, which can't be changed any more once a store is loaded.
  public init(name: String, managedObjectModel model: NSManagedObjectModel) {
    self.name = name
    managedObjectModel = model
    persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    viewContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    super.init()
    viewContext.persistentStoreCoordinator = persistentStoreCoordinator
    let url: URL = type(of: self).defaultDirectoryURL().appendingPathComponent("\(name).sqlite")
    descriptions = [NSPersistentStoreDescription(url: url)]
  }

  /// Where stores are kept that no description places elsewhere: a directory named for the program in the user's data
  /// directory (`$XDG_DATA_HOME`, or `~/.local/share`). Made when the first store is loaded there.
  open class func defaultDirectoryURL() -> URL {
    let environment: [String: String] = ProcessInfo.processInfo.environment
    let home: URL
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
      home = URL(fileURLWithPath: data, isDirectory: true)
    } else {
      home = FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".local/share", isDirectory: true)
    }
    return home.appendingPathComponent(
      Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName, isDirectory: true)
  }

  /// The stores to load. Change them before `loadPersistentStores`.
  open var persistentStoreDescriptions: [NSPersistentStoreDescription] {
    get { lock.withLock { descriptions } }
    set { lock.withLock { descriptions = newValue } }
  }

  /// Opens the stores described, and calls back once for each, with the error if it could not be opened; the others
  /// are opened all the same.
  ///
  /// A description that was loaded before is not added again; the block is called for it without an error.
  ///
  /// - Parameter block: called before the method returns, on this thread; for descriptions that say to add
  ///   asynchronously, later on another one.
  open func loadPersistentStores(
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    for description in persistentStoreDescriptions {
      if lock.withLock({ loaded.contains { $0 === description } }) {
        block(description, nil)
        continue
      }
      makeDefaultDirectory(for: description)
      persistentStoreCoordinator.addPersistentStore(with: description) { description, error in
        if error == nil { self.lock.withLock { self.loaded.append(description) } }
        block(description, error)
      }
    }
  }

  /// A new context with a queue of its own, that saves to the coordinator.
  open func newBackgroundContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = persistentStoreCoordinator
    return context
  }

  /// Runs a block on the queue of a new background context, some time later.
  @preconcurrency
  open func performBackgroundTask(_ block: @escaping @Sendable (NSManagedObjectContext) -> Void) {
    let context: NSManagedObjectContext = newBackgroundContext()
    context.perform { block(context) }
  }

  /// Runs a block on the queue of a new background context and returns its result.
  ///
  /// - Throws: what the block throws.
  public func performBackgroundTask<T: Sendable, E: Error>(
    _ block: @escaping @Sendable (NSManagedObjectContext) throws(E) -> T
  ) async throws(E) -> T {
    let context: NSManagedObjectContext = newBackgroundContext()
    return try await context.perform { () throws(E) -> T in try block(context) }
  }

  /// Only the directory that this package chose is made unasked; a missing one that was given is reported.
  private func makeDefaultDirectory(for description: NSPersistentStoreDescription) {
    guard let url = description.url else { return }
    let directory: URL = type(of: self).defaultDirectoryURL()
    guard url.deletingLastPathComponent().standardizedFileURL == directory.standardizedFileURL else { return }
    // When it can't be made, opening the store fails and says why.
    try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }
}

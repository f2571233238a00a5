internal import Foundation

/// What the URL and type of a store mean.
enum StorePlace: Hashable {
  /// In memory, of this coordinator alone.
  case privateMemory
  /// In memory, shared in the process by name.
  case namedMemory(String)
  /// A directory: its path without links and dots.
  case directory(String)

  private static let null = "/dev/null"

  /// - Throws: `NSPersistentStoreInvalidTypeError` for a type that is not available, `NSPersistentStoreOpenError` for a
  ///   URL that names no place.
  init(type: String, url: URL?) throws {
    switch type {
    case NSSQLiteStoreType: break
    case NSInMemoryStoreType:
      self = Self.memory(at: url) ?? .privateMemory
      return
    case _ where StoreClasses.storeClass(of: type) != nil:
      throw GraphError.make(
        NSPersistentStoreInvalidTypeError,
        "Stores of the registered type \(type) are files of the program's own: only the program can copy, remove or replace them."
      )
    default:
      throw GraphError.make(
        NSPersistentStoreInvalidTypeError,
        "The store type \(type) is not available; there are \(NSSQLiteStoreType) (a log in a directory at the URL) and \(NSInMemoryStoreType)."
      )
    }
    guard let url else {
      throw GraphError.make(
        NSPersistentStoreOpenError, "A store of type \(type) needs a URL: the directory to keep it in.")
    }
    guard url.isFileURL, !url.path.isEmpty else {
      throw GraphError.make(
        NSPersistentStoreOpenError, "The URL \(url.absoluteString) is no file URL: give the directory to keep it in.",
        userInfo: [NSURLErrorKey: url])
    }
    self = Self.memory(at: url) ?? .directory(Self.path(url))
  }

  /// `/dev/null` is memory of one's own, `/dev/null/NAME` memory that is shared by that name.
  private static func memory(at url: URL?) -> StorePlace? {
    guard let url, url.isFileURL else { return nil }
    let path: String = url.path
    if path == null { return .privateMemory }
    guard path.hasPrefix(null + "/") else { return nil }
    let name = String(path.dropFirst(null.count + 1))
    return name.isEmpty ? .privateMemory : .namedMemory(name)
  }

  private static func path(_ url: URL) -> String {
    // The store's own directory may not be there yet: links are followed in what holds it.
    let parent: URL = url.deletingLastPathComponent().standardizedFileURL.resolvingSymlinksInPath()
    return parent.appendingPathComponent(url.lastPathComponent).resolvingSymlinksInPath().path
  }

  static func samePlace(_ a: URL, _ b: URL) -> Bool {
    guard a.isFileURL, b.isFileURL else { return a == b }
    return path(a) == path(b)
  }

  /// What the store is shared by inside the process; `nil` for memory of one's own.
  var sharedName: String? {
    switch self {
    case .privateMemory: nil
    case .namedMemory(let name): "memory:" + name
    case .directory(let path): path
    }
  }
}

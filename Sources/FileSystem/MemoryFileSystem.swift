import Synchronization

/// Files in memory, for stores that live as long as their process. Nothing is durable, so syncing is free.
public final class MemoryFileSystem: FileSystem {
  private struct State {
    var files: [String: MemoryFile.Contents] = [:]
    var directories: Set<String> = ["/", "."]
    var locks: Set<String> = []
  }
  private let state = Mutex(State())

  public init() {}

  public func open(_ path: String, _ mode: FileOpenMode) throws(FileError) -> any File {
    let name = Self.normal(path)
    let contents = try state.withLock { state throws(FileError) in
      if state.directories.contains(name) { throw FileError(.isADirectory, operation: "open", path: path) }
      if mode == .createNew {
        if state.files[name] != nil { throw FileError(.alreadyExists, operation: "open", path: path) }
        try Self.checkParent(of: name, state, "open")
        let contents = MemoryFile.Contents()
        state.files[name] = contents
        return contents
      }
      guard let contents = state.files[name] else { throw FileError(.notFound, operation: "open", path: path) }
      return contents
    }
    return MemoryFile(path: path, contents: contents, isWritable: mode != .read) { [weak self] in
      self?.state.withLock { $0.files[name] } === contents
    }
  }

  public func createDirectory(_ path: String) throws(FileError) {
    let name = Self.normal(path)
    try state.withLock { state throws(FileError) in
      if state.files[name] != nil {
        throw FileError(.notADirectory, operation: "create directory", path: path)
      }
      try Self.checkParent(of: name, state, "create directory")
      state.directories.insert(name)
    }
  }

  public func list(_ path: String) throws(FileError) -> [String] {
    let name = Self.normal(path)
    return try state.withLock { state throws(FileError) in
      guard state.directories.contains(name) else {
        let code: FileError.Code = state.files[name] == nil ? .notFound : .notADirectory
        throw FileError(code, operation: "list", path: path)
      }
      let children = (Array(state.files.keys) + Array(state.directories)).filter {
        $0 != name && Self.parent($0) == name
      }
      return children.map { Self.lastPart($0) }.sorted()
    }
  }

  public func exists(_ path: String) throws(FileError) -> Bool {
    let name = Self.normal(path)
    return state.withLock { $0.files[name] != nil || $0.directories.contains(name) }
  }

  public func rename(_ from: String, to: String) throws(FileError) {
    let source = Self.normal(from)
    let target = Self.normal(to)
    try state.withLock { state throws(FileError) in
      guard let contents = state.files[source] else { throw FileError(.notFound, operation: "rename", path: from) }
      try Self.checkParent(of: target, state, "rename")
      state.files[source] = nil
      state.files[target] = contents
    }
  }

  public func remove(_ path: String) throws(FileError) {
    let name = Self.normal(path)
    try state.withLock { state throws(FileError) in
      if state.files.removeValue(forKey: name) != nil { return }
      guard state.directories.contains(name) else { throw FileError(.notFound, operation: "remove", path: path) }
      let isEmpty = !state.files.keys.contains { Self.parent($0) == name }
      guard isEmpty, !state.directories.contains(where: { $0 != name && Self.parent($0) == name }) else {
        throw FileError(.alreadyExists, operation: "remove", path: path)
      }
      state.directories.remove(name)
    }
  }

  public func syncDirectory(_ path: String) throws(FileError) {
    guard try exists(path) else { throw FileError(.notFound, operation: "sync directory", path: path) }
  }

  public func lock(_ path: String) throws(FileError) -> any FileLock {
    let name = Self.normal(path)
    try state.withLock { state throws(FileError) in
      try Self.checkParent(of: name, state, "lock")
      guard state.locks.insert(name).inserted else { throw FileError(.locked, operation: "lock", path: path) }
      if state.files[name] == nil { state.files[name] = MemoryFile.Contents() }
    }
    return MemoryFileLock { [weak self] in _ = self?.state.withLock { $0.locks.remove(name) } }
  }

  private static func checkParent(of name: String, _ state: State, _ operation: String) throws(FileError) {
    if !state.directories.contains(parent(name)) { throw FileError(.notFound, operation: operation, path: name) }
  }

  private static func normal(_ path: String) -> String {
    var name = path
    while name.count > 1, name.hasSuffix("/") { name.removeLast() }
    return name
  }

  private static func parent(_ name: String) -> String {
    guard let slash = name.lastIndex(of: "/") else { return "." }
    return slash == name.startIndex ? "/" : String(name[..<slash])
  }

  private static func lastPart(_ name: String) -> String {
    guard let slash = name.lastIndex(of: "/") else { return name }
    return String(name[name.index(after: slash)...])
  }
}

/// Given back once, at the latest with the object.
private final class MemoryFileLock: FileLock {
  private let give: Mutex<(@Sendable () -> Void)?>
  init(_ give: @escaping @Sendable () -> Void) { self.give = Mutex(give) }
  deinit { release() }
  func release() {
    let once = give.withLock { give in
      let once = give
      give = nil
      return once
    }
    once?()
  }
}

public import FileSystem
import Synchronization

/// A disk in memory that fails on purpose: for testing what a program leaves behind when the power goes at the worst
/// moment, a write stops half-way, a sync fails or the disk is full. Everything it does follows from a seed, so a
/// failure found once is found again.
///
/// It keeps two states: what programs see, and what is durable. Bytes of a file are durable after `sync` of that file;
/// names created, renamed and removed are durable after `syncDirectory`. `powerCut(seed:)` gives the disk that the
/// machine finds when it starts again: what was durable, and any part of the rest.
///
///     let disk = SimulatedDisk(seed: 1)
///     disk.plan.powerFailsAtOperation = 17
///     try? runTheProgram(on: disk)
///     checkWhatIsLeft(on: disk.powerCut(seed: 2))
///
/// It may be used from any thread; to run the same way twice, use it from one.
public final class SimulatedDisk: FileSystem {
  private enum NameChange {
    case set(String, SimulatedNode)
    case remove(String)
    case move(String, String, SimulatedNode)
  }

  /// unsafe: only used under the lock of `state`.
  private struct State: @unchecked Sendable {
    var plan = FaultPlan()
    var random: SeededGenerator
    var names: [String: SimulatedNode] = [:]
    var durableNames: [String: SimulatedNode] = [:]
    var pendingNames: [NameChange] = []
    var directories: Set<String> = ["/", "."]
    var durableDirectories: Set<String> = ["/", "."]
    var locks: Set<String> = []
    var operationCount = 0
    var operations: [DiskOperation] = []
    var recordsOperations = false
    var usedBytes: UInt64 = 0
    var isOff = false
  }
  private let state: Mutex<State>

  /// - Parameter seed: Decides what a failed sync loses and how much of a short write is done.
  public init(seed: UInt64 = 0) { state = Mutex(State(random: SeededGenerator(seed: seed))) }

  /// What is to go wrong. May be changed at any time.
  public var plan: FaultPlan {
    get { state.withLock { $0.plan } }
    set { state.withLock { $0.plan = newValue } }
  }

  /// How many operations were begun. Asking for a size is none.
  public var operationCount: Int { state.withLock { $0.operationCount } }

  /// Whether `operations` is kept; off at first, for speed.
  public var recordsOperations: Bool {
    get { state.withLock { $0.recordsOperations } }
    set { state.withLock { $0.recordsOperations = newValue } }
  }

  /// What was done since `recordsOperations` was set, in order.
  public var operations: [DiskOperation] { state.withLock { $0.operations } }

  /// The disk that the machine finds after the power went now and came back: of what was not synced, any part may be
  /// there, by the seed. Locks are gone, and the plan is empty. This disk stays as it is, so many outcomes of one
  /// moment can be looked at.
  public func powerCut(seed: UInt64) -> SimulatedDisk {
    let disk = SimulatedDisk(seed: seed ^ 0x5a5a)
    var random = SeededGenerator(seed: seed)
    let (files, directories) = state.withLock { Self.image(&$0, &random) }
    disk.state.withLock { state in
      state.durableDirectories = directories
      state.directories = directories
      for (name, bytes) in files {
        let node = SimulatedNode(durable: bytes)
        state.names[name] = node
        state.durableNames[name] = node
        state.usedBytes += UInt64(bytes.count)
      }
    }
    return disk
  }

  private static func image(
    _ state: inout State, _ random: inout SeededGenerator
  ) -> (files: [(String, [UInt8])], directories: Set<String>) {
    var names = state.durableNames
    // A journal keeps changes of names in order; some file systems promise less.
    let keepsOrder = random.oneIn(2)
    let kept = random.below(state.pendingNames.count + 1)
    for (index, change) in state.pendingNames.enumerated() {
      let isKept = keepsOrder ? index < kept : random.oneIn(2)
      if isKept { apply(change, to: &names) }
    }
    var directories = state.durableDirectories
    for directory in state.directories.subtracting(directories).sorted() where random.oneIn(2) {
      directories.insert(directory)
    }
    let garbage = random.oneIn(4)
    var files: [(String, [UInt8])] = []
    for (name, node) in names.sorted(by: { $0.key < $1.key }) where directories.contains(parent(name)) {
      files.append((name, node.image(&random, garbage: garbage)))
    }
    return (files, directories)
  }

  /// Ends the process that uses the disk, but not the machine: its locks are gone, and what it wrote is there, durable
  /// or not.
  public func killProcess() { state.withLock { $0.locks = [] } }

  /// Changes one bit of a file, on the medium and for all programs: rot, not a write.
  public func flipBit(_ path: String, byte: Int, bit: Int) throws(FileError) {
    try state.withLock { state throws(FileError) in
      guard let node = state.names[path] else { throw FileError(.notFound, operation: "flip", path: path) }
      node.flip(byte: byte, bit: bit)
    }
  }

  // MARK: Operations

  /// Counts an operation and finds out what the plan has for it.
  private static func begin(
    _ state: inout State, _ verb: String, _ path: String, offset: UInt64 = 0, count: Int = 0
  ) throws(FileError) -> FaultPlan.Failure? {
    if state.isOff { throw FileError(.inputOutput, operation: verb, path: path, errorNumber: 5) }
    state.operationCount += 1
    let index = state.operationCount
    if state.recordsOperations {
      state.operations.append(
        DiskOperation(index: index, verb: verb, path: path, offsetBytes: offset, byteCount: count))
    }
    if state.plan.powerFailsAtOperation == index { state.isOff = true }
    guard let failing = state.plan.failingOperation else { return nil }
    let fails = index == failing || (state.plan.failsFromThenOn && index > failing)
    return fails ? state.plan.failure : nil
  }

  static func error(_ failure: FaultPlan.Failure, _ verb: String, _ path: String) -> FileError {
    switch failure {
    case .inputOutput, .shortWrite: FileError(.inputOutput, operation: verb, path: path, errorNumber: 5)
    case .noSpace: FileError(.noSpace, operation: verb, path: path, errorNumber: 28)
    }
  }

  /// Runs a change of names, in full or not at all; with the power going, it is still pending.
  private func change<Result: Sendable>(
    _ verb: String, _ path: String, _ body: (inout State) throws(FileError) -> Result
  ) throws(FileError) -> Result {
    try state.withLock { state throws(FileError) in
      if let failure = try Self.begin(&state, verb, path) { throw Self.error(failure, verb, path) }
      let result = try body(&state)
      if state.isOff { throw FileError(.inputOutput, operation: verb, path: path, errorNumber: 5) }
      return result
    }
  }

  public func open(_ path: String, _ mode: FileOpenMode) throws(FileError) -> any File {
    let name = Self.normal(path)
    return try change(mode == .createNew ? "create" : "open", path) { state throws(FileError) in
      if state.directories.contains(name) { throw FileError(.isADirectory, operation: "open", path: path) }
      if mode != .createNew {
        guard let node = state.names[name] else { throw FileError(.notFound, operation: "open", path: path) }
        return SimulatedFile(disk: self, path: name, node: node, isWritable: mode == .readWrite)
      }
      if state.names[name] != nil { throw FileError(.alreadyExists, operation: "open", path: path) }
      try Self.checkParent(name, state, "open")
      let node = SimulatedNode()
      Self.record(.set(name, node), &state)
      return SimulatedFile(disk: self, path: name, node: node, isWritable: true)
    }
  }

  public func createDirectory(_ path: String) throws(FileError) {
    let name = Self.normal(path)
    try change("create directory", path) { state throws(FileError) in
      if state.names[name] != nil { throw FileError(.notADirectory, operation: "create directory", path: path) }
      try Self.checkParent(name, state, "create directory")
      state.directories.insert(name)
    }
  }

  public func list(_ path: String) throws(FileError) -> [String] {
    let name = Self.normal(path)
    return try change("list", path) { state throws(FileError) in
      guard state.directories.contains(name) else {
        let code: FileError.Code = state.names[name] == nil ? .notFound : .notADirectory
        throw FileError(code, operation: "list", path: path)
      }
      let prefix = name == "/" ? name : name + "/"
      var children: [String] = []
      for child in state.names.keys where child.hasPrefix(prefix) && Self.parent(child) == name {
        children.append(String(child.dropFirst(prefix.count)))
      }
      for child in state.directories where child.hasPrefix(prefix) && child != name && Self.parent(child) == name {
        children.append(String(child.dropFirst(prefix.count)))
      }
      return children.sorted()
    }
  }

  public func exists(_ path: String) throws(FileError) -> Bool {
    let name = Self.normal(path)
    return try change("look up", path) { state throws(FileError) in
      state.names[name] != nil || state.directories.contains(name)
    }
  }

  public func rename(_ from: String, to: String) throws(FileError) {
    let source = Self.normal(from)
    let target = Self.normal(to)
    try change("rename", from) { state throws(FileError) in
      guard let node = state.names[source] else { throw FileError(.notFound, operation: "rename", path: from) }
      try Self.checkParent(target, state, "rename")
      Self.record(.move(source, target, node), &state)
    }
  }

  public func remove(_ path: String) throws(FileError) {
    let name = Self.normal(path)
    try change("remove", path) { state throws(FileError) in
      if let node = state.names[name] {
        Self.record(.remove(name), &state)
        state.usedBytes -= min(UInt64(node.current.count), state.usedBytes)
        return
      }
      guard state.directories.remove(name) != nil else {
        throw FileError(.notFound, operation: "remove", path: path)
      }
    }
  }

  public func syncDirectory(_ path: String) throws(FileError) {
    let name = Self.normal(path)
    try change("sync directory", path) { state throws(FileError) in
      guard state.directories.contains(name) else {
        throw FileError(.notFound, operation: "sync directory", path: path)
      }
      // The sync during which the power goes has not happened, at least not so that anybody knew.
      if state.isOff { return }
      var later: [NameChange] = []
      for change in state.pendingNames {
        if Self.touches(change, directory: name) {
          Self.apply(change, to: &state.durableNames)
        } else {
          later.append(change)
        }
      }
      state.pendingNames = later
      for directory in state.directories where Self.parent(directory) == name {
        state.durableDirectories.insert(directory)
      }
    }
  }

  public func lock(_ path: String) throws(FileError) -> any FileLock {
    let name = Self.normal(path)
    try change("lock", path) { state throws(FileError) in
      if state.plan.hasNoLocks { throw FileError(.unsupported, operation: "lock", path: path, errorNumber: 37) }
      try Self.checkParent(name, state, "lock")
      guard state.locks.insert(name).inserted else { throw FileError(.locked, operation: "lock", path: path) }
      if state.names[name] == nil { Self.record(.set(name, SimulatedNode()), &state) }
    }
    return SimulatedLock { [weak self] in _ = self?.state.withLock { $0.locks.remove(name) } }
  }

  // MARK: Files

  /// What a file's operation may use of the disk while it runs.
  struct Resources {
    let failure: FaultPlan.Failure?
    var random: SeededGenerator
    fileprivate(set) var usedBytes: UInt64
    fileprivate let spaceBytesMax: UInt64?

    /// Takes room for a file that grows; returns how many bytes of it there are.
    mutating func take(_ bytes: Int) -> Int {
      let free = spaceBytesMax.map { $0 > usedBytes ? $0 - usedBytes : 0 } ?? UInt64.max
      let granted = min(bytes, Int(clamping: free))
      usedBytes += UInt64(granted)
      return granted
    }

    mutating func giveBack(_ bytes: Int) { usedBytes -= min(UInt64(bytes), usedBytes) }
  }

  /// Runs a file's operation under the disk's lock. With the power going, its change stays pending and the caller
  /// hears of an error.
  func perform(
    _ verb: String, _ path: String, offset: UInt64 = 0, count: Int = 0,
    _ body: (inout Resources) throws(FileError) -> Void
  ) throws(FileError) {
    try state.withLock { state throws(FileError) in
      let failure = try Self.begin(&state, verb, path, offset: offset, count: count)
      let powerIsGone = FileError(.inputOutput, operation: verb, path: path, errorNumber: 5)
      if state.isOff, verb == "sync" { throw powerIsGone }
      var resources = Resources(
        failure: failure, random: state.random, usedBytes: state.usedBytes, spaceBytesMax: state.plan.spaceBytesMax)
      defer {
        state.random = resources.random
        state.usedBytes = resources.usedBytes
      }
      try body(&resources)
      if state.isOff { throw powerIsGone }
    }
  }

  func sizeBytes(_ node: SimulatedNode) -> Int { state.withLock { _ in node.current.count } }

  func holds(_ node: SimulatedNode, at path: String) -> Bool { state.withLock { $0.names[path] === node } }

  // MARK: Names

  private static func record(_ change: NameChange, _ state: inout State) {
    apply(change, to: &state.names)
    state.pendingNames.append(change)
  }

  private static func apply(_ change: NameChange, to names: inout [String: SimulatedNode]) {
    switch change {
    case .set(let name, let node): names[name] = node
    case .remove(let name): names[name] = nil
    case .move(let from, let to, let node):
      names[from] = nil
      names[to] = node
    }
  }

  private static func touches(_ change: NameChange, directory: String) -> Bool {
    switch change {
    case .set(let name, _), .remove(let name): parent(name) == directory
    case .move(let from, let to, _): parent(from) == directory || parent(to) == directory
    }
  }

  private static func checkParent(_ name: String, _ state: State, _ verb: String) throws(FileError) {
    if !state.directories.contains(parent(name)) { throw FileError(.notFound, operation: verb, path: name) }
  }

  private static func normal(_ path: String) -> String {
    var name = path
    while name.utf8.count > 1, name.utf8.last == 0x2f { name.removeLast() }
    return name
  }

  static func parent(_ name: String) -> String {
    guard let slash = name.utf8.lastIndex(of: 0x2f) else { return "." }
    return slash == name.startIndex ? "/" : String(name[..<slash])
  }
}

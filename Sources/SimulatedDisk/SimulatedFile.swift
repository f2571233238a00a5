import FileSystem
import Synchronization

/// A file of a simulated disk.
final class SimulatedFile: File {
  let path: String
  private let disk: SimulatedDisk
  private let node: SimulatedNode
  private let isWritable: Bool
  private static let bytesMax: UInt64 = 1 << 40

  init(disk: SimulatedDisk, path: String, node: SimulatedNode, isWritable: Bool) {
    self.disk = disk
    self.path = path
    self.node = node
    self.isWritable = isWritable
  }

  func size() throws(FileError) -> UInt64 { UInt64(disk.sizeBytes(node)) }

  func read(at offsetBytes: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
    var count = 0
    try disk.perform("read", path, offset: offsetBytes, count: buffer.count) { resources throws(FileError) in
      if let failure = resources.failure { throw SimulatedDisk.error(failure, "read", path) }
      count = node.read(at: Int(clamping: offsetBytes), into: buffer)
    }
    return count
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offsetBytes: UInt64) throws(FileError) {
    try checkWritable("write", offsetBytes)
    let offset = Int(offsetBytes)
    try disk.perform("write", path, offset: offsetBytes, count: bytes.count) { resources throws(FileError) in
      var count = bytes.count
      switch resources.failure {
      case .inputOutput, .noSpace: count = 0
      case .shortWrite: count = resources.random.below(bytes.count)
      case nil: break
      }
      let growth = max(0, offset + count - node.current.count)
      let missing = growth - resources.take(growth)
      count -= min(missing, count)
      if count > 0 { node.write(Array(bytes[0..<count]), at: offset) }
      if let failure = resources.failure { throw SimulatedDisk.error(failure, "write", path) }
      if missing > 0 { throw SimulatedDisk.error(.noSpace, "write", path) }
    }
  }

  func truncate(to sizeBytes: UInt64) throws(FileError) {
    try resize(to: sizeBytes, "truncate")
  }

  func preallocate(to sizeBytes: UInt64) throws(FileError) {
    if sizeBytes > (try size()) { try resize(to: sizeBytes, "preallocate") }
  }

  private func resize(to sizeBytes: UInt64, _ verb: String) throws(FileError) {
    try checkWritable(verb, sizeBytes)
    let size = Int(sizeBytes)
    try disk.perform(verb, path, offset: sizeBytes) { resources throws(FileError) in
      if let failure = resources.failure { throw SimulatedDisk.error(failure, verb, path) }
      let growth = size - node.current.count
      if growth > 0 {
        let granted = resources.take(growth)
        if granted < growth {
          resources.giveBack(granted)
          throw SimulatedDisk.error(.noSpace, verb, path)
        }
      } else {
        resources.giveBack(-growth)
      }
      node.resize(to: size)
    }
  }

  func sync() throws(FileError) {
    try disk.perform("sync", path) { resources throws(FileError) in
      if let failure = resources.failure {
        node.failSync(&resources.random)
        throw SimulatedDisk.error(failure, "sync", path)
      }
      node.sync()
    }
  }

  func map() throws(FileError) -> MappedFile? { nil }

  func close() throws(FileError) {}

  func isInPlace() throws(FileError) -> Bool { disk.holds(node, at: path) }

  private func checkWritable(_ verb: String, _ offsetBytes: UInt64) throws(FileError) {
    if !isWritable { throw FileError(.permissionDenied, operation: verb, path: path) }
    if offsetBytes > Self.bytesMax { throw FileError(.noSpace, operation: verb, path: path) }
  }
}

/// Given back once, at the latest with the object.
final class SimulatedLock: FileLock {
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

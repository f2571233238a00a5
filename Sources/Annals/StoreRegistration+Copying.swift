internal import FileSystem
internal import Foundation
package import ObjectGraph
internal import RecordStore
internal import Schema

extension StoreRegistration {
  package static func memory() -> Any { MemoryFileSystem() }

  package static func copy(from source: StoreOpening, to destination: StoreOpening) throws {
    let copying = StoreCopying(
      from: directory(source), in: fileSystem(source), to: directory(destination), in: fileSystem(destination))
    try copying.run()
  }

  private static func directory(_ opening: StoreOpening) -> String {
    if case .directory(let path) = opening.place { return path }
    return memoryDirectory
  }
}

/// Copies a store file by file.
///
/// A log only grows, and any beginning of it is a state that the store was in: a copy made while somebody appends has
/// everything that was committed before it began. Files beside the log that stand for a part of it are copied before
/// it, so that they never know more than it holds.
private struct StoreCopying {
  let source: String
  let sourceFiles: any FileSystem
  let destination: String
  let files: any FileSystem

  /// How often copying starts anew because a file went meanwhile.
  private static let attemptsMax = 5

  init(from source: String, in sourceFiles: any FileSystem, to destination: String, in files: any FileSystem) {
    self.source = source
    self.sourceFiles = sourceFiles
    self.destination = destination
    self.files = files
  }

  func run() throws {
    guard files is DiskFileSystem else {
      // Memory and simulated disks have nobody who would find half a copy.
      if try files.exists(destination) {
        try StoreRegistration.checkUnused(destination, files)
        for name in try files.list(destination) { try files.remove("\(destination)/\(name)") }
      }
      return try copyFiles(to: destination)
    }
    let replaces: Bool = try files.exists(destination)
    if replaces { try StoreRegistration.checkUnused(destination, files) }
    let incoming = "\(destination).incoming-\(UUID().uuidString.prefix(8))"
    defer { try? FileManager.default.removeItem(atPath: incoming) }
    try copyFiles(to: incoming)
    try check(incoming)
    if replaces {
      // What was there is under the other name now, and goes.
      try DiskFileSystem.exchange(incoming, destination)
    } else {
      try files.rename(incoming, to: destination)
    }
    try files.syncDirectory(URL(fileURLWithPath: destination).deletingLastPathComponent().path)
  }

  /// A copy that can't be opened never takes a place.
  private func check(_ directory: String) throws {
    let options = RecordStoreOptions(isReadOnly: true)
    try RecordStore.open(directory: directory, in: files, schema: nil, options: options).close()
  }

  private func copyFiles(to directory: String) throws {
    var attempt = 1
    while true {
      do {
        try files.createDirectory(directory)
        for name in try Self.ordered(sourceFiles.list(source)) {
          try copy("\(source)/\(name)", to: "\(directory)/\(name)")
        }
        return try files.syncDirectory(directory)
      } catch let error as FileError where error.code == .notFound && attempt < Self.attemptsMax {
        // Compaction removed a file: the list is another one now.
        attempt += 1
        guard try files.exists(directory) else { throw error }
        for name in try files.list(directory) { try files.remove("\(directory)/\(name)") }
      }
    }
  }

  /// The log's segments last; locks, and what is kept of torn tails, belong to the place and not to the store.
  private static func ordered(_ names: [String]) -> [String] {
    let kept: [String] = names.filter { !$0.hasSuffix(".lock") && !$0.hasPrefix("torn-") && $0 != "lost+found" }
    return kept.filter { !$0.hasPrefix("log-") } + kept.filter { $0.hasPrefix("log-") }
  }

  private func copy(_ from: String, to path: String) throws {
    let source: any File = try sourceFiles.open(from, .read)
    defer { try? source.close() }
    let copy: any File = try files.open(path, .createNew)
    defer { try? copy.close() }
    let step = 1 << 20
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: step, alignment: 16)
    defer { buffer.deallocate() }
    var offset: UInt64 = 0
    while true {
      let count: Int = try source.read(at: offset, into: buffer)
      if count > 0 { try copy.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: offset) }
      offset += UInt64(count)
      if count < step { break }
    }
    try copy.sync()
  }
}

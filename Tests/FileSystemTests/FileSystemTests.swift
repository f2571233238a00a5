import FileSystem
import Foundation
import SimulatedDisk
import Testing

/// One of the file systems, with a directory of its own.
struct Place: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let fileSystem: any FileSystem
  let directory: String

  static func all() -> [Place] {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("annals-\(UUID().uuidString)")
    return [
      Place(testDescription: "disk", fileSystem: DiskFileSystem(), directory: url.path),
      Place(testDescription: "memory", fileSystem: MemoryFileSystem(), directory: "/place"),
      Place(testDescription: "simulated", fileSystem: SimulatedDisk(), directory: "/place"),
    ]
  }
}

@Suite("File systems behave alike")
struct FileSystemTests {
  private func write(_ text: String, _ file: any File, at offset: UInt64 = 0) throws {
    try Array(text.utf8).withUnsafeBytes { try file.write($0, at: offset) }
  }

  private func read(_ file: any File, at offset: UInt64 = 0, _ count: Int = 100) throws -> String {
    var bytes = [UInt8](repeating: 0xaa, count: count)
    let done = try bytes.withUnsafeMutableBytes { try file.read(at: offset, into: $0) }
    return String(decoding: bytes[0..<done], as: UTF8.self)
  }

  @Test("Files are made, written, read, cut and listed", arguments: Place.all())
  func files(place: Place) throws {
    let system = place.fileSystem
    defer { try? FileManager.default.removeItem(atPath: place.directory) }
    try system.createDirectory(place.directory)
    try system.createDirectory(place.directory)
    let path = place.directory + "/a"
    #expect(try !system.exists(path))
    let file = try system.open(path, .createNew)
    try write("hello", file)
    try write("world", file, at: 10)
    #expect(try file.size() == 15)
    #expect(try read(file) == "hello\0\0\0\0\0world")
    #expect(try read(file, at: 12) == "rld")
    #expect(try read(file, at: 100) == "")
    try file.truncate(to: 3)
    try file.preallocate(to: 8)
    #expect(try read(file) == "hel\0\0\0\0\0")
    try file.preallocate(to: 4)
    #expect(try file.size() == 8)
    try file.sync()
    try system.syncDirectory(place.directory)
    #expect(try system.exists(path))
    #expect(try system.list(place.directory) == ["a"])
    let again = try system.open(path, .read)
    #expect(try read(again, 3) == "hel")
    #expect(throws: FileError.self) { try write("x", again) }
    try file.close()
  }

  @Test("Names are renamed and removed, and an open file notices", arguments: Place.all())
  func names(place: Place) throws {
    let system = place.fileSystem
    defer { try? FileManager.default.removeItem(atPath: place.directory) }
    try system.createDirectory(place.directory)
    let first = try system.open(place.directory + "/a", .createNew)
    try write("first", first)
    let second = try system.open(place.directory + "/b", .createNew)
    #expect(try second.isInPlace())
    try system.rename(place.directory + "/a", to: place.directory + "/b")
    #expect(try system.list(place.directory) == ["b"])
    #expect(try !second.isInPlace())
    #expect(try !first.isInPlace())
    #expect(try read(try system.open(place.directory + "/b", .read)) == "first")
    try system.remove(place.directory + "/b")
    #expect(try system.list(place.directory).isEmpty)
    #expect(try read(first) == "first")
  }

  @Test("Wrong calls get typed errors with the path", arguments: Place.all())
  func errors(place: Place) throws {
    let system = place.fileSystem
    defer { try? FileManager.default.removeItem(atPath: place.directory) }
    try system.createDirectory(place.directory)
    let path = place.directory + "/a"
    func code(_ body: () throws -> Void) -> FileError.Code? {
      do { try body() } catch let error as FileError { return error.code } catch {}
      return nil
    }
    #expect(code { _ = try system.open(path, .read) } == .notFound)
    #expect(code { _ = try system.open(path, .readWrite) } == .notFound)
    _ = try system.open(path, .createNew)
    #expect(code { _ = try system.open(path, .createNew) } == .alreadyExists)
    #expect(code { _ = try system.list(path) } == .notADirectory)
    #expect(code { _ = try system.list(place.directory + "/none") } == .notFound)
    #expect(code { try system.createDirectory(path) } == .notADirectory)
    #expect(code { try system.remove(place.directory + "/none") } == .notFound)
    #expect(code { _ = try system.open(place.directory + "/none/b", .createNew) } == .notFound)
    #expect(code { try system.syncDirectory(place.directory + "/none") } == .notFound)
  }

  @Test("A lock keeps everybody else out, in the same process too, until it is given back", arguments: Place.all())
  func locks(place: Place) throws {
    let system = place.fileSystem
    defer { try? FileManager.default.removeItem(atPath: place.directory) }
    try system.createDirectory(place.directory)
    let path = place.directory + "/lock"
    let lock = try system.lock(path)
    let error = #expect(throws: FileError.self) { try system.lock(path) }
    #expect(error?.code == .locked)
    if system is DiskFileSystem { #expect(error?.processID == getpid()) }
    // Closing another descriptor of the same file must not let go of it.
    try system.open(path, .read).close()
    #expect(throws: FileError.self) { try system.lock(path) }
    lock.release()
    let second = try system.lock(path)
    second.release()
    #expect(try system.exists(path))
  }

  @Test("A lock given back is free, though a child that is being started still has its descriptor")
  func lockOutlivesNoRelease() throws {
    let place = Place.all().first { $0.fileSystem is DiskFileSystem }
    let system = try #require(place).fileSystem
    let directory = try #require(place).directory
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try system.createDirectory(directory)
    let path = directory + "/lock"
    let lock = try system.lock(path)
    // What a fork does until its exec: a second descriptor of the same open file description.
    let own = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").first { name in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)) == path
    }
    let inherited = dup(try #require(own.flatMap { Int32($0) }))
    defer { close(inherited) }
    #expect(inherited >= 0)
    lock.release()
    let second = try system.lock(path)
    second.release()
  }

  @Test("A map shows what was written, and stays when the file grows and goes", arguments: Place.all())
  func maps(place: Place) throws {
    let system = place.fileSystem
    defer { try? FileManager.default.removeItem(atPath: place.directory) }
    try system.createDirectory(place.directory)
    let file = try system.open(place.directory + "/a", .createNew)
    try write("mapped", file)
    guard let map = try file.map() else { return }
    try write(String(repeating: "x", count: 100_000), file, at: 6)
    try system.remove(place.directory + "/a")
    try file.close()
    #expect(String(decoding: map.bytes[0..<6], as: UTF8.self) == "mapped")
  }

  @Test("B115: of many who race for a lock, one gets it at a time", arguments: Place.all())
  func lockRace(place: Place) async throws {
    try place.fileSystem.createDirectory(place.directory)
    defer { try? FileManager.default.removeItem(atPath: place.directory) }
    let path = place.directory + "/lock"
    for _ in 0..<20 {
      let winners = await withTaskGroup(of: (any FileLock)?.self) { group in
        for _ in 0..<16 { group.addTask { try? place.fileSystem.lock(path) } }
        var locks: [any FileLock] = []
        for await lock in group { if let lock { locks.append(lock) } }
        return locks
      }
      #expect(winners.count == 1)
      for lock in winners { lock.release() }
    }
  }

  @Test("A path with a zero in it is refused, not cut")
  func zeroInPath() {
    let error = #expect(throws: FileError.self) { try DiskFileSystem().open("/tmp\0/x", .read) }
    #expect(error?.code == .badPath)
  }
}

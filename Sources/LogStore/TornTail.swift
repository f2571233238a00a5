public import FileSystem

/// Bytes of an unfinished write that opening for writing cut from the log's end and kept beside it, for people to look at.
public struct TornTail: Sendable {
  public let path: String
  public let sizeBytes: UInt64
  /// Where they were.
  public let location: RecordLocation
}

extension LogStore {
  /// What was cut from a log's end and is still kept, in the order of its place. The files are never read; remove them
  /// at will.
  /// - Throws: `LogError` when the directory can't be listed.
  public static func tornTails(_ directory: String, in fileSystem: any FileSystem) throws(LogError) -> [TornTail] {
    try doing("Looking for torn tails") { () throws(FileError) in
      var tails: [TornTail] = []
      for name in try fileSystem.list(directory) {
        guard let location = SegmentFiles.tornLocation(of: name) else { continue }
        let path = SegmentFiles.path(directory, name)
        let file = try fileSystem.open(path, .read)
        tails.append(TornTail(path: path, sizeBytes: try file.size(), location: location))
        try file.close()
      }
      return tails.sorted {
        ($0.location.segment, $0.location.offsetBytes) < ($1.location.segment, $1.location.offsetBytes)
      }
    }
  }
}

/// Keeps what is about to be cut: it is taken for an unfinished write, and if that should ever be wrong, it is all that
/// is left.
enum TornTailKeeper {
  /// The first in the log go when there are more.
  static let countMax = 8
  /// Of a longer tail the start is kept.
  static let bytesMax = 1 << 20

  /// Makes the copy durable before it returns. Without room for it the log must open all the same.
  static func keep(
    _ bytes: UnsafeRawBufferPointer, at location: RecordLocation, _ directory: String, _ fileSystem: any FileSystem
  ) {
    let path = SegmentFiles.path(directory, SegmentFiles.tornName(location))
    do throws(FileError) {
      if try fileSystem.exists(path) { try fileSystem.remove(path) }
      let names = try fileSystem.list(directory).filter { SegmentFiles.tornLocation(of: $0) != nil }.sorted()
      for name in names.dropLast(countMax - 1) { try fileSystem.remove(SegmentFiles.path(directory, name)) }
      let file = try fileSystem.open(path, .createNew)
      try file.write(bytes.slice(0, min(bytes.count, bytesMax)), at: 0)
      try file.sync()
      try file.close()
      try fileSystem.syncDirectory(directory)
    } catch {
      try? fileSystem.remove(path)
    }
  }
}

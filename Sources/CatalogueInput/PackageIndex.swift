internal import Bytes
public import Foundation

/// Debian's package indexes: the files that `apt-get update` fetches, plain or in LZ4 frames, and dpkg's status file.
public enum PackageIndex {
  /// The indexes of this machine: `/var/lib/apt/lists/*_Packages`, plain or packed; dpkg's status where there is none.
  public static func defaultFiles() -> [String] {
    let directory = "/var/lib/apt/lists"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    let indexes = names.filter { $0.hasSuffix("_Packages") || $0.hasSuffix("_Packages.lz4") }.sorted()
    guard indexes.isEmpty else { return indexes.map { directory + "/" + $0 } }
    let status = "/var/lib/dpkg/status"
    return FileManager.default.fileExists(atPath: status) ? [status] : []
  }

  /// Reads indexes and keeps the newest version of each package, sorted by name.
  ///
  /// - Throws: `PackageIndexError` with the file, and the line where its text makes no sense.
  public static func read(_ files: [String]) throws -> [PackageEntry] {
    var newest: [String: PackageEntry] = [:]
    for file in files {
      for entry in try PackageIndexParser(file: file, text: contents(of: file)).entries() {
        if let known = newest[entry.name], DebianVersion(known.version) >= DebianVersion(entry.version) { continue }
        newest[entry.name] = entry
      }
    }
    return newest.values.sorted { $0.name < $1.name }
  }

  /// Far above any index there is.
  private static let textBytesMax = 2 << 30

  static func contents(of file: String) throws -> [UInt8] {
    let data: [UInt8]
    do {
      data = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
    } catch {
      throw PackageIndexError(file: file, line: nil, message: "cannot be read: \(error.localizedDescription)")
    }
    guard data.starts(with: [0x04, 0x22, 0x4D, 0x18]) else { return data }
    do {
      return try LZ4FrameReader.unpack(data, rawBytesMax: textBytesMax)
    } catch {
      throw PackageIndexError(file: file, line: nil, message: "is no whole LZ4 frame: \(error)")
    }
  }
}

public struct PackageIndexError: Error, LocalizedError, CustomStringConvertible {
  public let file: String
  public let line: Int?
  public let message: String

  public var description: String { "\(file)\(line.map { ":\($0)" } ?? ""): \(message)" }
  public var errorDescription: String? { description }
}

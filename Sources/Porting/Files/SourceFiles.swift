internal import Foundation

/// The Swift files that paths lead to.
public enum SourceFiles {
  /// Finds files: those named, and all `.swift` files in the folders named. Hidden files and folders, build folders
  /// among them, are left out, and links to folders are not followed.
  ///
  /// - Returns: paths, each file once, in the order of the paths given and by name in folders.
  /// - Throws: for a path where there is nothing, or something else.
  public static func find(_ paths: [String]) throws(PortingError) -> [String] {
    var found: [String] = []
    var seen: Set<String> = []
    for path in paths {
      guard let kind = kind(of: path, followsLinks: true) else {
        throw PortingError(path: path, message: "no such file or directory")
      }
      let files: [String]
      switch kind {
      case .folder: files = try list(path)
      case .file where path.hasSuffix(".swift"): files = [path]
      case .file: throw PortingError(path: path, message: "neither a Swift file nor a folder")
      }
      for file in files where seen.insert(resolved(file)).inserted { found.append(file) }
    }
    return found
  }

  /// Reads a file.
  /// - Throws: when it cannot be read or is not in UTF-8.
  public static func read(_ path: String) throws(PortingError) -> [UInt8] {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw PortingError(path: path, message: "cannot be read: \(reason(error))")
    }
    let bytes = [UInt8](data)
    guard String(validating: bytes, as: UTF8.self) != nil else {
      let offset = firstBadByte(bytes)
      throw PortingError(path: path, message: "is not in UTF-8 (byte \(offset)); convert it first")
    }
    return bytes
  }

  /// Writes a file whole or not at all; its permissions stay, and a link stays a link.
  public static func write(_ bytes: [UInt8], to path: String) throws(PortingError) {
    let place = resolved(path)
    do {
      let permissions = try FileManager.default.attributesOfItem(atPath: place)[.posixPermissions]
      guard FileManager.default.isWritableFile(atPath: place) else {
        throw PortingError(path: path, message: "cannot be written: permission denied")
      }
      try Data(bytes).write(to: URL(fileURLWithPath: place), options: .atomic)
      if let permissions {
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: place)
      }
    } catch let error as PortingError {
      throw error
    } catch {
      throw PortingError(path: path, message: "cannot be written: \(reason(error))")
    }
  }

  // MARK: folders

  private enum Kind { case file, folder }

  private static func kind(of path: String, followsLinks: Bool) -> Kind? {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
    if isFolder.boolValue, !followsLinks, (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil {
      return nil
    }
    return isFolder.boolValue ? .folder : .file
  }

  private static func list(_ folder: String) throws(PortingError) -> [String] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw PortingError(path: folder, message: "cannot be read: \(reason(error))")
    }
    var found: [String] = []
    for name in names.sorted() where !name.hasPrefix(".") {
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      switch kind(of: path, followsLinks: false) {
      case .folder: found += try list(path)
      case .file where name.hasSuffix(".swift"): found.append(path)
      default: break
      }
    }
    return found
  }

  private static func resolved(_ path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }

  private static func reason(_ error: any Error) -> String {
    switch (error as? CocoaError)?.code {
    case .fileReadNoPermission, .fileWriteNoPermission: "permission denied"
    case .fileNoSuchFile, .fileReadNoSuchFile: "no such file or directory"
    case .fileWriteOutOfSpace: "no space left"
    case .fileWriteVolumeReadOnly: "read-only"
    default: (error as NSError).localizedDescription
    }
  }

  private static func firstBadByte(_ bytes: [UInt8]) -> Int {
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var offset = 0
    while case .valid(let scalar) = parser.parseScalar(from: &rest) { offset += scalar.count }
    return offset
  }
}

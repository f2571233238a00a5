package import Foundation

/// Finds the file that holds a model, from whatever names it.
package enum ModelFiles {
  /// The `contents` file that a URL stands for.
  ///
  /// - Returns: the file, and warnings about how it was chosen.
  package static func contents(of url: URL) throws(ModelError) -> (file: URL, warnings: [ModelDiagnostic]) {
    var isDirectory: ObjCBool = false
    guard url.isFileURL, FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) else {
      throw failure("there is no such file", url)
    }
    guard isDirectory.boolValue else { return (url, []) }
    let contents: URL = url.appendingPathComponent("contents")
    if FileManager.default.fileExists(atPath: contents.path, isDirectory: &isDirectory) {
      guard !isDirectory.boolValue else { throw failure("'contents' is a directory", url) }
      return (contents, [])
    }
    let chosen: (version: URL, warnings: [ModelDiagnostic]) = try currentVersion(in: url)
    let inner: URL = chosen.version.appendingPathComponent("contents")
    guard FileManager.default.fileExists(atPath: inner.path) else {
      throw failure("the version '\(chosen.version.lastPathComponent)' has no file 'contents'", url)
    }
    return (inner, chosen.warnings)
  }

  /// The versions of a `.xcdatamodeld` directory, in the order of their names, numbers counted as numbers.
  package static func versions(in directory: URL) throws(ModelError) -> [URL] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    } catch {
      throw failure("the directory can't be read: \(error.localizedDescription)", directory)
    }
    // Without the suffix, so that "Blog" comes before "Blog 2".
    let suffix = ".xcdatamodel"
    let versions: [String] = names.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }.sorted {
      $0.compare($1, options: .numeric) == .orderedAscending
    }
    if versions.isEmpty {
      if names.contains(where: { $0.hasSuffix(".mom") || $0.hasSuffix(".omo") }) {
        throw failure(
          "this is a compiled model; read the .xcdatamodeld directory that it was compiled from", directory)
      }
      if names.contains("elements") {
        throw failure(
          "this model is in the binary format of Xcode 3; open it in a newer Xcode and save it once", directory)
      }
      throw failure("the directory holds no model: neither a 'contents' file nor a .xcdatamodel directory", directory)
    }
    return versions.map { directory.appendingPathComponent($0 + suffix, isDirectory: true) }
  }

  private static func currentVersion(
    in directory: URL
  ) throws(ModelError) -> (version: URL, warnings: [ModelDiagnostic]) {
    let versions: [URL] = try self.versions(in: directory)
    let marker: URL = directory.appendingPathComponent(".xccurrentversion")
    if FileManager.default.fileExists(atPath: marker.path) {
      let name: String = try versionName(in: marker)
      guard let version = versions.first(where: { $0.lastPathComponent == name }) else {
        let known: String = versions.map { $0.lastPathComponent }.joined(separator: ", ")
        throw failure("the current version is '\(name)', which doesn't exist; there is \(known)", marker)
      }
      return (version, [])
    }
    guard versions.count > 1, let last = versions.last else { return (versions[0], []) }
    let warning = ModelDiagnostic(
      .warning,
      "there are \(versions.count) versions and no .xccurrentversion file; the last, '\(last.lastPathComponent)', is used",
      file: directory.path)
    return (last, [warning])
  }

  private static func versionName(in marker: URL) throws(ModelError) -> String {
    let data: Data = try read(marker, bytesMax: ModelLimits.versionFileBytesMax)
    guard let list = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any],
      let name = list["_XCCurrentVersionName"] as? String
    else { throw failure("it is no property list with the key _XCCurrentVersionName", marker) }
    return name
  }

  /// The whole of a file, unless it is too large to be what it should be.
  static func read(_ file: URL, bytesMax: Int) throws(ModelError) -> Data {
    do {
      let attributes: [FileAttributeKey: Any] = try FileManager.default.attributesOfItem(
        atPath: file.resolvingSymlinksInPath().path)
      let kind: FileAttributeType? = attributes[.type] as? FileAttributeType
      // A pipe or device could be without end.
      guard kind == .typeRegular else { throw failure("it is not a regular file", file) }
      let size: Int = (attributes[.size] as? NSNumber)?.intValue ?? 0
      guard size <= bytesMax else { throw failure("it has \(size) bytes; at most \(bytesMax) are read", file) }
      return try Data(contentsOf: file)
    } catch let error as ModelError {
      throw error
    } catch {
      throw failure("it can't be read: \(error.localizedDescription)", file)
    }
  }

  static func failure(_ message: String, _ url: URL) -> ModelError {
    ModelError(
      "The model \(url.path) can't be read.", diagnostics: [ModelDiagnostic(.error, message, file: url.path)])
  }
}

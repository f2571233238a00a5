internal import Foundation
internal import Model
internal import Schema

/// A model in a target: the version that is current, read.
struct ModelFile {
  /// The file's name without its extension.
  let name: String
  let versionName: String
  /// The path of the version's `contents`.
  let path: String
  let contents: String
  let model: NSManagedObjectModel
  let schema: Schema

  /// Reads the current version of a model.
  /// - Returns: the model, unless it has errors, and everything to say about it.
  static func load(_ path: String) -> (model: ModelFile?, diagnostics: [CompilerDiagnostic]) {
    var diagnostics: [CompilerDiagnostic] = []
    do throws(LoadFailure) {
      let place = try locate(URL(fileURLWithPath: path))
      guard let data = FileManager.default.contents(atPath: place.contents) else {
        throw LoadFailure("the model's contents cannot be read", path: place.contents)
      }
      let reading: ModelReading
      let schema: Schema
      do {
        reading = try ModelReader.read(data, file: place.contents)
        diagnostics += reading.diagnostics.map { CompilerDiagnostic($0, defaultPath: place.contents) }
        schema = try reading.model.schema()
      } catch {
        diagnostics += error.diagnostics.map { CompilerDiagnostic($0, defaultPath: place.contents) }
        if !diagnostics.contains(where: { $0.severity == .error }) {
          throw LoadFailure(error.message, path: place.contents)
        }
        return (nil, diagnostics)
      }
      let file = ModelFile(
        name: place.name, versionName: place.version, path: place.contents,
        contents: String(decoding: data, as: UTF8.self), model: reading.model, schema: schema)
      return (file, diagnostics)
    } catch {
      diagnostics.append(
        CompilerDiagnostic(.error, error.message, at: SourceLocation(path: error.path, line: 1)))
      return (nil, diagnostics)
    }
  }

  private struct LoadFailure: Error {
    let message: String
    let path: String
    init(_ message: String, path: String) {
      self.message = message
      self.path = path
    }
  }

  private struct Place {
    let name: String
    let version: String
    let contents: String
  }

  /// Finds the `contents` of a model's current version.
  private static func locate(_ url: URL) throws(LoadFailure) -> Place {
    let name = url.deletingPathExtension().lastPathComponent
    func contents(of version: URL) -> String { version.appendingPathComponent("contents").path }
    guard url.pathExtension == "xcdatamodeld" else {
      guard FileManager.default.fileExists(atPath: contents(of: url)) else {
        throw LoadFailure("there is no file 'contents' in this model", path: url.path)
      }
      return Place(name: name, version: name, contents: contents(of: url))
    }
    guard let entries = try? FileManager.default.contentsOfDirectory(atPath: url.path) else {
      throw LoadFailure("the model cannot be read", path: url.path)
    }
    let versions = entries.filter { $0.hasSuffix(".xcdatamodel") }.sorted()
    let marker = url.appendingPathComponent(".xccurrentversion")
    let current: String
    if let data = FileManager.default.contents(atPath: marker.path) {
      let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
      guard let named = (list as? [String: Any])?["_XCCurrentVersionName"] as? String else {
        throw LoadFailure("this file names no current version under '_XCCurrentVersionName'", path: marker.path)
      }
      guard versions.contains(named) else {
        throw LoadFailure(
          "the current version '\(named)' does not exist; there are: \(versions.joined(separator: ", "))",
          path: marker.path)
      }
      current = named
    } else {
      guard let only = versions.first, versions.count == 1 else {
        throw LoadFailure(
          versions.isEmpty
            ? "there is no version in this model"
            : "there is no '.xccurrentversion' to say which of \(versions.joined(separator: ", ")) is current",
          path: url.path)
      }
      current = only
    }
    let version = url.appendingPathComponent(current)
    return Place(
      name: name, version: version.deletingPathExtension().lastPathComponent, contents: contents(of: version))
  }
}

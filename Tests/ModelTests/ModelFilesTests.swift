import Foundation
import Testing

@testable import Model

@Suite("Model directories")
final class ModelFilesTests {
  private let directory: URL = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  deinit { try? FileManager.default.removeItem(at: directory) }

  /// Writes versions, each with one entity named after it.
  private func makeModel(versions: [String], current: String? = nil) throws -> URL {
    let url: URL = directory.appendingPathComponent("Blog.xcdatamodeld")
    for version in versions {
      let inner: URL = url.appendingPathComponent("\(version).xcdatamodel")
      try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
      let text: String = ModelText.file("<entity name=\"\(version.filter { $0 != " " })\"/>")
      try Data(text.utf8).write(to: inner.appendingPathComponent("contents"))
    }
    if let current {
      let list: [String: Any] = ["_XCCurrentVersionName": "\(current).xcdatamodel"]
      let data: Data = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
      try data.write(to: url.appendingPathComponent(".xccurrentversion"))
    }
    return url
  }

  private func names(_ url: URL) throws -> [String] {
    try ModelReader.read(url).model.entities.compactMap { $0.name }
  }

  @Test("B103: the marked version is read, and another one after the mark is moved")
  func currentVersion() throws {
    let url: URL = try makeModel(versions: ["Blog", "Blog 2"], current: "Blog")
    #expect(try names(url) == ["Blog"])
    _ = try makeModel(versions: [], current: "Blog 2")
    #expect(try names(url) == ["Blog2"])
    #expect(NSManagedObjectModel(contentsOf: url)?.entitiesByName["Blog2"] != nil)
  }

  @Test("B104: without a mark the only version is read; of several the last, numbers counted, with a warning")
  func noMark() throws {
    #expect(try ModelReader.read(try makeModel(versions: ["Blog"])).diagnostics.isEmpty)
    let url: URL = try makeModel(versions: ["Blog 2", "Blog 10", "Blog"])
    let reading: ModelReading = try ModelReader.read(url)
    #expect(reading.model.entities.first?.name == "Blog10")
    #expect(reading.diagnostics.map { $0.severity } == [.warning])
  }

  @Test("a single version and its file can be read too")
  func otherURLs() throws {
    let url: URL = try makeModel(versions: ["Blog", "Blog 2"], current: "Blog 2")
    let version: URL = url.appendingPathComponent("Blog.xcdatamodel")
    #expect(try names(version) == ["Blog"])
    #expect(try names(version.appendingPathComponent("contents")) == ["Blog"])
    let checksums: [String: String] = try NSManagedObjectModel.checksumsForVersionedModel(at: url)
    #expect(checksums.keys.sorted() == ["Blog", "Blog 2"])
    #expect(checksums["Blog"] == (try ModelReader.read(version).model.versionChecksum))
  }

  @Test("what is wrong with a directory is said")
  func faults() throws {
    func message(_ url: URL) -> String? {
      let error: ModelError? = #expect(throws: ModelError.self) { try ModelReader.read(url) }
      return error?.diagnostics.first?.message
    }
    #expect(message(directory.appendingPathComponent("None.xcdatamodeld")) == "there is no such file")
    let url: URL = try makeModel(versions: ["Blog"], current: "Blog 7")
    #expect(
      message(url) == "the current version is 'Blog 7.xcdatamodel', which doesn't exist; there is Blog.xcdatamodel")
    try Data("rubbish".utf8).write(to: url.appendingPathComponent(".xccurrentversion"))
    #expect(message(url) == "it is no property list with the key _XCCurrentVersionName")
    let empty: URL = directory.appendingPathComponent("Empty.xcdatamodeld")
    try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
    #expect(message(empty)?.hasPrefix("the directory holds no model") == true)
    try Data().write(to: empty.appendingPathComponent("Empty.mom"))
    #expect(message(empty)?.hasPrefix("this is a compiled model") == true)
    #expect(NSManagedObjectModel(contentsOf: empty) == nil)
  }

  @Test("an error names the file by its path")
  func path() throws {
    let url: URL = try makeModel(versions: ["Blog"])
    let file: URL = url.appendingPathComponent("Blog.xcdatamodel/contents")
    try Data(ModelText.file("<entity name=\"A\"><attribute name=\"x\" attributeType=\"Y\"/></entity>").utf8).write(
      to: file)
    let error: ModelError? = #expect(throws: ModelError.self) { try NSManagedObjectModel(reading: url) }
    #expect(error?.diagnostics.first?.description.hasPrefix("\(file.path):3: error: A.x: unknown attribute") == true)
  }
}

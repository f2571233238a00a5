import Foundation
import Porting
import Testing

@Suite("Files of a run")
struct FileTests {
  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("port-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  private func write(_ text: String, _ name: String, in folder: URL) throws {
    let file = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  @Test("Folders give their Swift files in order, without hidden ones, and each file once")
  func finding() throws {
    try withFolder { folder in
      for name in ["b.swift", "a.swift", "c.txt", "in/d.swift", ".build/e.swift", ".f.swift"] {
        try write("", name, in: folder)
      }
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/in/loop", withDestinationPath: folder.path)
      let found = try SourceFiles.find([folder.path + "/b.swift", folder.path, folder.path + "/"])
      let names = found.map { $0.replacingOccurrences(of: folder.path + "/", with: "") }
      #expect(names == ["b.swift", "a.swift", "in/d.swift"])
      #expect(throws: PortingError.self) { try SourceFiles.find([folder.path + "/none.swift"]) }
      #expect(throws: PortingError.self) { try SourceFiles.find([folder.path + "/c.txt"]) }
    }
  }

  @Test("A file that is not in UTF-8 is refused with its name and place")
  func encodings() throws {
    try withFolder { folder in
      let file = folder.appendingPathComponent("latin.swift")
      try Data([0x6C, 0x65, 0x74, 0x20, 0xE9, 0x0A]).write(to: file)
      let error = #expect(throws: PortingError.self) { try SourceFiles.read(file.path) }
      #expect(error?.description == "\(file.path): is not in UTF-8 (byte 4); convert it first")
    }
  }

  @Test("Writing keeps permissions, and a link stays a link")
  func writing() throws {
    try withFolder { folder in
      try write("old", "a.swift", in: folder)
      let file = folder.path + "/a.swift"
      let link = folder.path + "/b.swift"
      try FileManager.default.setAttributes([.posixPermissions: 0o751], ofItemAtPath: file)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
      try SourceFiles.write(Array("new".utf8), to: link)
      #expect(try SourceFiles.read(file) == Array("new".utf8))
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file)
      let attributes = try FileManager.default.attributesOfItem(atPath: file)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o751)
    }
  }

  @Test("A diff has hunks with three lines around changes, and says where a last line is not ended")
  func diff() {
    let old = (1...20).map { "line \($0)\n" }.joined() + "end"
    let new = old.replacingOccurrences(of: "line 3\n", with: "").replacingOccurrences(of: "end", with: "END")
    let expected = """
      --- a.swift
      +++ a.swift
      @@ -1,6 +1,5 @@
       line 1
       line 2
      -line 3
       line 4
       line 5
       line 6
      @@ -18,4 +17,4 @@
       line 18
       line 19
       line 20
      -end
      \\ No newline at end of file
      +END
      \\ No newline at end of file

      """
    #expect(UnifiedDiff.text(path: "a.swift", from: Array(old.utf8), to: Array(new.utf8)) == expected)
    #expect(UnifiedDiff.text(path: "a.swift", from: [1], to: [1]) == "")
    #expect(UnifiedDiff.text(path: "n", from: [], to: Array("a\n".utf8)) == "--- n\n+++ n\n@@ -0,0 +1 @@\n+a\n")
  }
}

import Foundation
import Testing

@Suite("annals info")
struct InfoCommandTests {
  @Test("prints format, identity, first and last transaction, size, state and the schema with counts")
  func text() throws {
    try withTemporaryDirectory { directory in
      let result = try Tool.run("info", SmallStore.make(in: directory).path)
      #expect(result.status == 0)
      #expect(result.errors.isEmpty)
      for part in [
        "format ", "identifier ", "transactions  5", "2026-11-30 09:00:00.000Z by ada", "2026-11-30 09:04:00.000Z",
        "bytes in 1 segment", "closed cleanly", "SpecialThing: Thing  0 objects, 1 ever inserted", "Thing  1 object,",
        "  aInteger64: integer64", "  owner: -> Owner, inverse things", "  parts: ->> Part, inverse whole, ordered",
        "  unique: name", "  thingCount: integer64, derived", "  extra: string",
      ] {
        #expect(result.output.contains(part), "\(part) is missing in\n\(result.output)")
      }
    }
  }

  @Test("--json has the same as one line")
  func json() throws {
    try withTemporaryDirectory { directory in
      let lines = try Tool.run("info", "--json", SmallStore.make(in: directory).path).objects()
      #expect(lines.count == 1)
      let info = try #require(lines.first)
      #expect(info["schema"] as? Int == 1)
      #expect(info["kind"] as? String == "info")
      #expect(info["transactions"] as? Int == 5)
      #expect(info["state"] as? String == "closed")
      #expect((info["first"] as? [String: Any])?["author"] as? String == "ada")
      let entities = try #require(info["entities"] as? [[String: Any]])
      let special = try #require(entities.first { $0["name"] as? String == "SpecialThing" })
      #expect(special["superentity"] as? String == "Thing")
      #expect(special["objects"] as? Int == 0)
      #expect(special["inserted"] as? Int == 1)
      #expect((special["properties"] as? [[String: Any]])?.last?["name"] as? String == "extra")
    }
  }

  @Test("reads a store whose writer holds the lock, and says that it is not closed")
  func besideAWriter() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appendingPathComponent("Store.sqlite")
      let fixture = try SmallStore.write(at: url)
      let info = try Tool.run("info", url.path)
      #expect(info.status == 0)
      #expect(info.output.contains("not closed"))
      #expect(try Tool.run("log", url.path).lines.count == 5)
      #expect(try Tool.run("verify", url.path).status == 0)
      let tag = try fixture.newKey("Tag")
      try fixture.commit([.insert(tag, ["label": .string("later")])])
      #expect(try Tool.run("log", url.path).lines.count == 6)
      try fixture.close()
    }
  }

  @Test("B094: a store in a read-only directory is read, and nothing in it changes")
  func readOnlyDirectory() throws {
    try withTemporaryDirectory { directory in
      let store = try SmallStore.make(in: directory)
      let manager = FileManager.default
      let files = try manager.contentsOfDirectory(atPath: store.path).sorted()
      let before = try files.map { try Data(contentsOf: store.appendingPathComponent($0)) }
      for file in files {
        try manager.setAttributes([.posixPermissions: 0o444], ofItemAtPath: store.path + "/" + file)
      }
      try manager.setAttributes([.posixPermissions: 0o555], ofItemAtPath: store.path)
      defer { try? manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: store.path) }
      for command in ["info", "log", "verify"] { #expect(try Tool.run(command, store.path).status == 0) }
      #expect(try manager.contentsOfDirectory(atPath: store.path).sorted() == files)
      #expect(try files.map { try Data(contentsOf: store.appendingPathComponent($0)) } == before)
    }
  }

  @Test("a path that is no store is exit code 3, named, whatever the command", arguments: ["info", "log", "verify"])
  func noStore(command: String) throws {
    try withTemporaryDirectory { directory in
      let missing = directory.appendingPathComponent("missing").path
      let file = directory.appendingPathComponent("file")
      try Data("hello".utf8).write(to: file)
      let other = directory.appendingPathComponent("other")
      try FileManager.default.createDirectory(at: other, withIntermediateDirectories: false)
      try Data("hello".utf8).write(to: other.appendingPathComponent("note.txt"))
      for path in [missing, file.path, other.path] {
        let result = try Tool.run(command, path)
        #expect(result.status == 3, "\(path)")
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(path), "\(result.errors)")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: other.path) == ["note.txt"])
      #expect(!FileManager.default.fileExists(atPath: missing))
    }
  }
}

import Foundation
import Testing

@Suite("annals salvage")
struct SalvageCommandTests {
  private static let golden = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Formats/stores/v1")

  @Test(
    "S: golden stores: a sound or torn one is taken over whole, the damaged one with an account of what is lost",
    arguments: [("small", 0), ("every-type", 0), ("torn", 0), ("multi-segment", 0), ("damaged", 7)] as [(String, Int32)]
  )
  func golden(name: String, status: Int32) throws {
    try withTemporaryDirectory { directory in
      let new = directory.appendingPathComponent("new").path
      let source = Self.golden.appendingPathComponent(name)
      let before = try FileManager.default.contentsOfDirectory(atPath: source.path)
      let result = try Tool.run("salvage", "--json", source.path, "-o", new)
      #expect(result.status == status, "\(result.output)\(result.errors)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: source.path) == before)
      let last = try #require(try result.objects().last)
      #expect(last["kind"] as? String == "salvage")
      #expect(last["exit"] as? Int == Int(status))
      #expect(try Tool.run("verify", new).status == 0)
      if status == 0 {
        let counts = try [source.path, new].map { path -> [Int] in
          let info = try #require(try Tool.run("info", "--json", path).objects().last)
          return (info["entities"] as? [[String: Any]] ?? []).map { $0["objects"] as? Int ?? -1 }
        }
        #expect(counts[0] == counts[1])
      }
    }
  }

  @Test("The account names damage, lost transactions and entities; objects behind the damage are there")
  func account() throws {
    try withTemporaryDirectory { directory in
      let store = try SmallStore.make(in: directory)
      let bad = try Place.all(store)[1]
      try flipByte(of: bad.file, at: bad.offset + bad.bytes - 4)
      let new = directory.appendingPathComponent("new")
      let result = try Tool.run("salvage", store.path, "--output", new.path)
      #expect(result.status == 7)
      for part in [
        "damage: ", "byte offset        \(bad.offset)", "lost: part of transaction \(bad.number)", "Thing: 1 kept",
        "Tag: 1 kept", "salvaged with losses: 3 objects", new.path,
      ] {
        #expect(result.output.contains(part), "\(part) is missing in\n\(result.output)")
      }
      // What is there already is not touched.
      let again = try Tool.run("salvage", store.path, "--output", new.path)
      #expect(again.status == 3)
      #expect(again.errors.contains("new directory"))
      #expect(try Tool.run("salvage", store.path).status == 2)
    }
  }
}

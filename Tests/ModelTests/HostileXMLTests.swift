import Foundation
import Testing

@testable import Model

@Suite("Files that are no models, or are meant to do harm")
struct HostileXMLTests {
  private func fault(_ text: String) -> String? {
    do {
      _ = try ModelReader.read(Data(text.utf8), file: "M")
      return nil
    } catch {
      return error.diagnostics.first?.description
    }
  }

  @Test("what is no XML, no UTF-8 or another document is an error with its line")
  func notAModel() {
    #expect(fault("") == "M: error: the file is empty")
    #expect(fault("hello")?.contains("not well formed") == true)
    #expect(fault("<model>\n<entity>\n</model>")?.hasPrefix("M:3: error: the XML is not well formed") == true)
    #expect(fault("<plist/>") == "M:1: error: the outermost element is <plist>; a model file has <model>")
    let error: ModelError? = #expect(throws: ModelError.self) { try ModelReader.read(Data([0xFF, 0xFE, 0x3C, 0])) }
    #expect(error?.diagnostics.first?.message == "the file is not UTF-8 text")
  }

  @Test("document types and entities are refused before anything is expanded")
  func entities() {
    let bomb = """
      <?xml version="1.0"?>
      <!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;">]>
      <model><entity name="&lol2;"/></model>
      """
    #expect(fault(bomb) == "M:2: error: a model may not declare a document type or entities")
    #expect(fault("<model><entity name=\"&x;\"/></model>") != nil)
  }

  @Test("nesting is bounded")
  func depth() {
    let deep = "<model>" + String(repeating: "<a>", count: 100_000)
    #expect(fault(deep)?.contains("nested more than 32 deep") == true)
  }

  @Test("a chain of parents as long as the file is an error, quickly")
  func parents() {
    let lines: [String] = (0..<3000).map { "<entity name=\"E\($0)\" parentEntity=\"E\($0 + 1)\"/>" }
    let text: String = ModelText.file(lines.joined(separator: "\n") + "<entity name=\"E3000\"/>")
    #expect(fault(text)?.contains("deep") == true)
  }

  @Test("very many attributes, properties, inverses, requests and members take time in proportion, not more")
  func size() {
    let attributes: [String] = (0..<50_000).map { "a\($0)=\"x\"" }
    #expect(fault("<model \(attributes.joined(separator: " "))/>") == "M:1: error: an element has too many attributes")
    let count = 8000
    var lines = "<entity name=\"A\">"
    for index in 0..<count {
      lines += "<relationship name=\"r\(index)\" destinationEntity=\"A\" inverseName=\"r\(index)\"/>"
      lines += "<fetchedProperty name=\"f\(index)\"><fetchRequest name=\"f\" entity=\"A\"/></fetchedProperty>"
    }
    lines += "</entity>"
    for index in 0..<1000 { lines += "<entity name=\"E\(index)\"/>" }
    for index in 0..<count { lines += "<configuration name=\"C\(index)\"><memberEntity name=\"A\"/></configuration>" }
    #expect(fault(ModelText.file(lines)) == "M:3: error: A: it has 16000 properties; an entity may have 4096")
  }

  @Test(
    "processing instructions, on which Foundation's parser crashes, are refused with their line",
    arguments: ["<?x?>", "<?xml-?>", "<?xml-?><model/>", "\u{FEFF}<?xml version=\"1.0\"?><?a?><model/>"])
  func instructions(_ text: String) throws {
    let error: ModelError? = #expect(throws: ModelError.self) { try ModelReader.read(Data(text.utf8)) }
    #expect(error?.diagnostics.first?.description.hasPrefix("model:1: error: a model may not have processing") == true)
  }

  @Test("composites that multiply are bounded")
  func composites() {
    var lines = "<entity name=\"A\"><attribute name=\"a\" attributeType=\"Composite\" composite=\"C0\"/></entity>"
    for level in 0..<10 {
      let element: [String] = (0..<20).map {
        "<attribute name=\"e\($0)\" attributeType=\"Composite\" composite=\"C\(level + 1)\"/>"
      }
      lines += "<composite name=\"C\(level)\">\(element.joined())</composite>"
    }
    lines += "<composite name=\"C10\"><attribute name=\"x\" attributeType=\"String\"/></composite>"
    #expect(fault(ModelText.file(lines))?.contains("more than 100000 elements") == true)
  }

  @Test("no mutation of a model file stops the program or hangs it")
  func mutations() throws {
    var random = SplitMix(state: 20_240_607)
    let original: [UInt8] = Array(ModelText.file(EntityReadingTests.library + FreezeTests.shop).utf8)
    var read = 0
    for _ in 0..<1500 {
      var bytes: [UInt8] = original
      for _ in 0...Int(random.next() % 4) { Self.mutate(&bytes, &random) }
      guard let reading = try? ModelReader.read(Data(bytes), file: "M") else { continue }
      read += 1
      _ = try? reading.model.schema()
      _ = ModelWriter.xml(of: reading.model)
      _ = ModelPrinter.text(of: reading.model)
    }
    #expect(read > 0)
  }

  @Test("no mutation of real model files does either", .enabled(if: Corpus.isPresent))
  func realMutations() throws {
    var random = SplitMix(state: 7)
    for entry in Corpus.entries {
      var bytes: [UInt8] = Array(try Corpus.data(entry))
      for _ in 0..<3 {
        Self.mutate(&bytes, &random)
        guard let reading = try? ModelReader.read(Data(bytes), file: "M") else { continue }
        _ = try? reading.model.schema()
      }
    }
  }

  /// Changes a byte, copies or removes a stretch, or puts another attribute's value in the place of one.
  private static func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix) {
    guard bytes.count > 64 else { return }
    let at = Int(random.next() % UInt64(bytes.count - 48))
    let length = Int(random.next() % 40) + 1
    switch random.next() % 4 {
    case 0: bytes[at] = UInt8(truncatingIfNeeded: random.next())
    case 1: bytes.removeSubrange(at..<at + length)
    case 2: bytes.insert(contentsOf: bytes[at..<at + length], at: Int(random.next() % UInt64(bytes.count)))
    default:
      let quoted: [Range<Int>] = values(in: bytes)
      guard quoted.count > 1 else { return }
      let from: Range<Int> = quoted[Int(random.next() % UInt64(quoted.count))]
      let to: Range<Int> = quoted[Int(random.next() % UInt64(quoted.count))]
      bytes.replaceSubrange(to, with: Array(bytes[from]))
    }
  }

  private static func values(in bytes: [UInt8]) -> [Range<Int>] {
    let quotes: [Int] = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\"") }
    return stride(from: 0, to: quotes.count - 1, by: 2).map { quotes[$0] + 1..<quotes[$0 + 1] }
  }
}

/// A small generator, so that a failure can be run again.
struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z: UInt64 = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

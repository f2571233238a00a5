import Foundation
import Schema
import Testing

@testable import Predicates

@Suite("Sort descriptors")
struct SortTests {
  private static let words: People = {
    let world = People()
    let boss = world.add(0, ["name": .string("boss"), "age": .int(1)])
    let words: [String?] = ["file10", "File2", "file2", nil, "Zoe", "anna", "Éve", "eve", "Anna", "b"]
    for (index, word) in words.enumerated() {
      world.add(
        0,
        [
          "name": word.map { .string($0) } ?? .null, "age": .int(Int64(index * 7 % 10)),
          "score": .double(Double(-index)),
          "boss": index % 2 == 0 ? .object(boss) : .null,
        ])
    }
    world.finish()
    return world
  }()

  private func sorted(_ descriptor: NSSortDescriptor) throws -> [String] {
    let world = Self.words
    let bound: BoundSort = try world.binder().bind(descriptor)
    let keys = world.keys.dropFirst()
    let byRow = try keys.sorted { a, b in
      let order = try bound.compare(world.rows[a]!, world.rows[b]!, in: world)
      return order != 0 ? order < 0 : a < b
    }
    let inMemory = keys.sorted { a, b in
      let order = descriptor.compare(world.objects[a]!, to: world.objects[b]!)
      return order != .orderedSame ? order == .orderedAscending : a < b
    }
    #expect(byRow == inMemory)
    return byRow.map { world.objects[$0]!.values["name"] as? String ?? "-" }
  }

  @Test("C67: plain strings sort by Unicode scalar, absent ones first when ascending")
  func plain() throws {
    let expected = ["-", "Anna", "File2", "Zoe", "anna", "b", "eve", "file10", "file2", "Éve"]
    #expect(try sorted(NSSortDescriptor(key: "name", ascending: true)) == expected)
    #expect(try sorted(NSSortDescriptor(key: "name", ascending: false)) == expected.reversed())
  }

  @Test("C66: localizedStandardCompare: puts file2 before file10 and does not split cases")
  func localizedStandard() throws {
    let sort = NSSortDescriptor(key: "name", ascending: true, selector: Selector("localizedStandardCompare:"))
    #expect(try sorted(sort) == ["-", "anna", "Anna", "b", "eve", "Éve", "file2", "File2", "file10", "Zoe"])
  }

  @Test("The other comparators")
  func others() throws {
    func sort(_ selector: String) throws -> [String] {
      try sorted(NSSortDescriptor(key: "name", ascending: true, selector: Selector(selector)))
    }
    let folded = ["-", "anna", "Anna", "b", "eve", "Éve", "file10", "File2", "file2", "Zoe"]
    #expect(try sort("caseInsensitiveCompare:") == folded)
    #expect(
      try sort("localizedCompare:") == ["-", "anna", "Anna", "b", "eve", "Éve", "file10", "file2", "File2", "Zoe"])
    #expect(try sort("localizedCaseInsensitiveCompare:").first == "-")
  }

  @Test("Numbers sort by value, through to-one relationships too")
  func numbers() throws {
    #expect(try sorted(NSSortDescriptor(key: "score", ascending: true)).first == "b")
    let byBoss = try sorted(NSSortDescriptor(key: "boss.name", ascending: true))
    #expect(byBoss.prefix(5) == ["File2", "-", "anna", "eve", "b"])
  }

  @Test("Key, selector, order and equality are what they were made with")
  func parts() {
    let sort = NSSortDescriptor(key: "name", ascending: false, selector: "caseInsensitiveCompare:")
    #expect(sort.key == "name" && !sort.ascending && sort.selector == Selector("caseInsensitiveCompare:"))
    #expect(sort == NSSortDescriptor(key: "name", ascending: false, selector: "caseInsensitiveCompare:"))
    #expect(sort != NSSortDescriptor(key: "name", ascending: true, selector: "caseInsensitiveCompare:"))
    let reversed = sort.reversedSortDescriptor as? NSSortDescriptor
    #expect(reversed?.key == "name" && reversed?.ascending == true)
    KeyPathNames.register(\People.Object.values, name: "values")
    #expect(NSSortDescriptor(keyPath: \People.Object.values, ascending: true).key == "values")
  }
}

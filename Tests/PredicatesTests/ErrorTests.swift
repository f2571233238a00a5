import Foundation
import Schema
import Testing

@testable import Predicates

@Suite("What is wrong with a predicate is said")
struct ErrorTests {
  private let world = People.sample

  private func parseError(_ format: String, _ arguments: Any?...) -> QueryError? {
    do {
      _ = try NSPredicate(parsing: format, arguments: arguments)
      return nil
    } catch {
      return error
    }
  }

  private func bindingError(_ format: String, _ arguments: Any?..., entity: Int = 0) -> QueryError? {
    do {
      _ = try world.binder(entity).bind(try NSPredicate(parsing: format, arguments: arguments))
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "A typo gives the column and what was expected there",
    arguments: [
      ("name = = 'x'", 8), ("name == 'x", 9), ("name", 5), ("name == ", 9), ("(name == 'x'", 13), ("name LIKES 'x'", 6),
      ("name == 'x' AN age == 1", 13), ("name == %q", 9), ("age IN {1, 2", 13), ("NOT", 4), ("name ==[x] 'a'", 9),
      ("SUBQUERY(a, b, c == 1).@count > 0", 13), ("é == 'x", 6), ("a == 1 AND OR b == 2", 12), ("name MATCHES '('", 14),
      ("a.'b' == 1", 3), ("#$a == 1", 2), ("#1a == 1", 2), ("a == # b", 7), ("CAST(a, 'NSFoo') == 1", 9), ("", 1),
      ("a == 1)", 7),
    ])
  func columns(format: String, column: Int) throws {
    let error = try #require(parseError(format))
    #expect(error.column == column, "\(error)")
    #expect(error.message.contains("column \(column)"))
  }

  @Test("A missing argument and one of the wrong kind are named")
  func arguments() throws {
    #expect(parseError("name == %@")?.code == .arguments)
    #expect(parseError("%K == 1", 5)?.code == .arguments)
    #expect(parseError("%K == 1", nil)?.code == .arguments)
    #expect(parseError("age == %d", "x")?.code == .arguments)
    #expect(parseError("age == %@", NSPredicate(value: true))?.code == .arguments)
  }

  @Test("B151: only functions of the list can be called")
  func functions() throws {
    #expect(parseError("FUNCTION('x', 'stringWithContentsOfFile:') == 1")?.code == .unsupported)
    #expect(parseError("exec('rm') == 1")?.code == .unsupported)
    #expect(parseError("FUNCTION(name, 'uppercase:') == 'ADA'") == nil)
  }

  @Test("B151: nesting, chains and length have bounds, with an error beyond them")
  func limits() throws {
    let deep = String(repeating: "(", count: 10_000) + "a == 1" + String(repeating: ")", count: 10_000)
    #expect(parseError(deep)?.code == .tooComplex)
    #expect(parseError(String(repeating: "NOT ", count: 10_000) + "a == 1")?.code == .tooComplex)
    #expect(parseError("a == " + String(repeating: "-", count: 10_000) + "1")?.code == .tooComplex)
    #expect(parseError("a == 1" + String(repeating: " + 1", count: 10_000))?.code == .tooComplex)
    #expect(parseError("a" + String(repeating: "[0]", count: 10_000) + " == 1")?.code == .tooComplex)
    #expect(parseError("a == " + String(repeating: "{", count: 10_000))?.code == .tooComplex)
    #expect(parseError("a == '" + String(repeating: "x", count: 2_000_000) + "'")?.code == .tooComplex)
    #expect(parseError(String(repeating: "(", count: 90) + "a == 1" + String(repeating: ")", count: 90)) == nil)
  }

  @Test("A predicate of many terms is no deeper than one of two")
  func manyTerms() throws {
    let format = (0..<20_000).map { "age == \($0)" }.joined(separator: " OR ")
    #expect(try world.matching(try NSPredicate(parsing: format)) == ["Ada", "Bob", "Éve"])
  }

  @Test("A tree built too deep by a program is refused by stores")
  func deepTrees() throws {
    var predicate = NSPredicate(format: "age == 1")
    for _ in 0..<1000 { predicate = NSCompoundPredicate(notPredicateWithSubpredicate: predicate) }
    #expect(throws: QueryError.self) { _ = try world.binder().bind(predicate) }
  }

  @Test("C69, C62: an unknown key names entity and key")
  func unknownKeys() throws {
    let error = try #require(bindingError("nmae == 'x'"))
    #expect(error.code == .unknownKey && error.entity == "Person" && error.key == "nmae")
    let nested = try #require(bindingError("boss.team.nmae == 'x'"))
    #expect(nested.entity == "Team" && nested.key == "nmae")
    // Of a sub-entity only.
    #expect(bindingError("salary == 1")?.code == .unknownKey)
    #expect(bindingError("salary == 1", entity: 1) == nil)
    #expect(bindingError("ANY tags.nope == 1")?.entity == "Tag")
    #expect(bindingError("SUBQUERY(tags, $t, $t.nope == 1).@count > 0")?.entity == "Tag")
    #expect(bindingError("age.foo == 1")?.code == .unknownKey)
    #expect(bindingError("tags.@median.weight == 1")?.code == .unsupported)
  }

  @Test("C93, C95: transient attributes, blocks and closures are named")
  func unsupported() throws {
    #expect(bindingError("draft == 'x'")?.key == "draft")
    #expect(throws: QueryError.self) { _ = try world.binder().bind(NSPredicate { _, _ in true }) }
    #expect(throws: QueryError.self) {
      _ = try world.binder().bind(NSSortDescriptor(key: "name", ascending: true) { _, _ in .orderedSame })
    }
    #expect(throws: QueryError.self) { _ = try world.binder().bind(NSSortDescriptor(key: "tags", ascending: true)) }
    #expect(throws: QueryError.self) { _ = try world.binder().bind(NSSortDescriptor(key: "nope", ascending: true)) }
    #expect(bindingError("name isKindOfClass: %@", "x")?.code == .unsupported)
    #expect(bindingError("age > $LIMIT")?.code == .unboundVariable)
  }

  @Test("A constant that cannot be compared with its attribute is an error, not an empty result")
  func typeMismatches() throws {
    #expect(bindingError("age == 'old'")?.code == .typeMismatch)
    #expect(bindingError("born == 'yesterday'")?.code == .typeMismatch)
    #expect(bindingError("uid == 'x'")?.code == .typeMismatch)
    #expect(bindingError("boss == 5")?.code == .typeMismatch)
    #expect(bindingError("boss > %@", world.objects[world.keys[0]])?.code == .typeMismatch)
    #expect(bindingError("age CONTAINS 'x'")?.code == .typeMismatch)
    #expect(bindingError("SELF == 'x'")?.code == .typeMismatch)
    #expect(bindingError("name == %@", NSObject())?.code == .typeMismatch)
  }

  @Test("C70: in memory a variable without a value is an error")
  func unboundVariables() throws {
    let predicate = try NSPredicate(parsing: "age > $LIMIT")
    #expect(throws: QueryError.self) { _ = try predicate.matches(["age": 5]) }
    #expect(predicate.evaluate(with: ["age": 5], substitutionVariables: ["LIMIT": 3]))
  }

  @Test("Random and damaged texts give a predicate or an error, never a crash")
  func damagedFormats() throws {
    var random = Seeded(3)
    let seeds = [
      "name CONTAINS[cd] 'a' AND SUBQUERY(tags, $t, $t.weight > 5).@count > 0", "a[FIRST].b == {1, -2.5e3, 0xFF}",
      "TERNARY(a == 1, b, c) + 2 ** 3 >= CAST(5, 'NSDate')", "NOT ANY x.y.@sum.z BETWEEN {%d, %@} OR %K == $V",
      "FUNCTION(a, 'uppercase:') ==[cd] \"\\u00e9\" UNION {}",
    ]
    let alphabet = Array("()[]{}'\"\\%@K$#.,:!<>=&|+-*/~^ aANDOR0123é🙂\n".unicodeScalars)
    var parsed = 0
    for round in 0..<6000 {
      var scalars = round % 4 == 0 ? [] : Array(seeds[round % seeds.count].unicodeScalars)
      for _ in 0..<Int.random(in: 1..<12, using: &random) {
        let scalar = alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
        let place = Int.random(in: 0...scalars.count, using: &random)
        if place < scalars.count, Bool.random(using: &random) {
          scalars[place] = scalar
        } else {
          scalars.insert(scalar, at: place)
        }
      }
      var text = ""
      text.unicodeScalars.append(contentsOf: scalars)
      guard let predicate = try? NSPredicate(parsing: text, arguments: [1, "k", "v"]) else { continue }
      parsed += 1
      _ = try? predicate.matches(["name": "x", "a": [1, 2]])
      _ = try? world.binder().bind(predicate)
      #expect((try? NSPredicate(parsing: predicate.formatText)) != nil, "\(text) → \(predicate.formatText)")
    }
    #expect(parsed > 40)
  }
}

import Foundation
import Schema
import Testing

@testable import Predicates

/// A reproducible source of random numbers.
struct Seeded: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }
  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}

/// Makes random formats over the persons of `People`.
struct RandomFormats {
  var random: Seeded

  mutating func pick<T>(_ choices: [T]) -> T { choices[Int.random(in: 0..<choices.count, using: &random)] }

  static let strings = [
    "", "Ada", "ada", "ADA", "a", "É", "É", "eve", "Eve", "straße", "STRASSE", "b", "o", "🙂", "Ж", "ж", "x y",
  ]
  static let operators = ["==", "!=", "<", "<=", ">", ">="]

  mutating func string() -> String { "\"\(pick(Self.strings))\"" }

  mutating func number() -> String {
    pick(["0", "1", "2", "17", "36", "36.5", "-1", "0.1", "1.5", "1152921504606846976", "9.99", "YES", "NO", "nil"])
  }

  mutating func options() -> String { pick(["", "", "[c]", "[d]", "[cd]", "[n]"]) }

  mutating func comparison(_ prefix: String, isMany: Bool) -> String {
    switch Int.random(in: 0..<7, using: &random) {
    case 0:
      return "\(prefix)\(pick(["age", "big", "small", "score", "ratio", "price"])) \(pick(Self.operators)) \(number())"
    case 1: return "\(prefix)name \(pick(Self.operators))\(options()) \(string())"
    case 2:
      let sign =
        isMany ? pick(["BEGINSWITH", "ENDSWITH", "LIKE"]) : pick(["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE"])
      return "\(prefix)name \(sign)\(options()) \(pick([string(), "\"*a\"", "\"?d?\"", "\"*e*\""]))"
    case 3: return "\(prefix)flag \(pick(["==", "!="])) \(pick(["YES", "NO", "1", "0", "nil"]))"
    case 4:
      return
        "\(prefix)born \(pick(Self.operators)) \(pick(["CAST(0, 'NSDate')", "CAST(86400, 'NSDate')", "86400", "nil"]))"
    case 5: return "\(prefix)age IN {\(number()), \(pick(["17", "36", "52"])), \(number())}"
    default: return "\(prefix)age BETWEEN {\(pick(["0", "17", "36"])), \(pick(["36", "52", "1"]))}"
    }
  }

  mutating func format(depth: Int) -> String {
    if depth > 0, Bool.random(using: &random) {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: return "(\(format(depth: depth - 1))) AND (\(format(depth: depth - 1)))"
      case 1: return "(\(format(depth: depth - 1))) OR (\(format(depth: depth - 1)))"
      case 2: return "NOT (\(format(depth: depth - 1)))"
      default:
        return
          "SUBQUERY(reports, $r, (\(comparison("$r.", isMany: false))) AND \(pick(["$r.age < age", "$r.boss == SELF", "$r != nil"]))).@count \(pick(Self.operators)) \(pick(["0", "1", "2"]))"
      }
    }
    switch Int.random(in: 0..<9, using: &random) {
    case 0, 1: return comparison("", isMany: false)
    case 2: return comparison(pick(["boss.", "boss.boss.", "team.lead."]), isMany: false)
    case 3:
      return pick(["ANY ", "ALL ", "NONE "])
        + comparison(pick(["reports.", "team.members.", "boss.reports.", "reports.reports."]), isMany: true)
    case 4: return comparison(pick(["reports.", "team.members."]), isMany: true)
    case 5:
      return
        "\(pick(["reports", "tags", "boss.reports", "team.members"])).@count \(pick(Self.operators)) \(pick(["0", "1", "2", "1.5"]))"
    case 6:
      return
        "\(pick(["tags.@sum.weight", "tags.@max.weight", "tags.@min.weight", "tags.@avg.weight", "reports.@sum.score"])) \(pick(Self.operators)) \(pick(["0", "2", "3.5", "7", "nil"]))"
    case 7:
      return "\(pick(["boss", "team", "tags", "boss.team", "reports", "name", "boss.name"])) \(pick(["==", "!="])) nil"
    default:
      return
        "\(pick(["age + 1", "age * score", "name.length", "-age", "age %% 5", "TERNARY(flag == YES, age, 0)", "big & 3"])) \(pick(Self.operators)) \(pick(["18", "3", "0", "age", "54.0"]))"
    }
  }
}

@Suite("Rows and memory agree")
struct AgreementTests {
  @Test("B035: a random predicate gives the same for a row, for the object in memory, and after printing")
  func randomPredicates() throws {
    let world = People.sample
    var formats = RandomFormats(random: Seeded(7))
    for _ in 0..<2000 {
      let format = formats.format(depth: 3)
      let predicate: NSPredicate = try NSPredicate(parsing: format)
      let matches: [String] = try world.matching(predicate)
      let again: NSPredicate = try NSPredicate(parsing: predicate.formatText)
      #expect(isSamePredicate(predicate, again), "\(format) → \(predicate.formatText)")
      #expect(try world.matching(again) == matches, "\(format)")
    }
  }

  @Test("What an index is told of a predicate holds for every match")
  func terms() throws {
    let world = People.sample
    var formats = RandomFormats(random: Seeded(99))
    var seen = 0
    for _ in 0..<2000 {
      let format = formats.format(depth: 2)
      let bound: BoundPredicate = try world.binder().bind(try NSPredicate(parsing: format))
      for key in world.keys where key.entityNumber < 2 {
        let row = world.rows[key]!
        let isMatch = try bound.matches(row, in: world)
        if let constant = bound.constantResult { #expect(isMatch == constant, "\(format)") }
        guard isMatch else { continue }
        for term in bound.terms {
          seen += 1
          #expect(try meets(term, row, world), "\(format): \(term)")
        }
      }
    }
    #expect(seen > 100)
  }

  private func meets(_ term: BoundTerm, _ row: Row, _ world: People) throws -> Bool {
    let layout = People.schema.entities[row.key.entityNumber].layout
    func value(_ property: Int) -> Value { row.value(layout.slots[property]!) }
    switch term {
    case .oneOf(let property, let values): return values.contains(value(property))
    case .range(let property, let lower, let upper):
      let value = value(property)
      if let lower {
        guard let order = order(value, lower.value), lower.isInclusive ? order >= 0 : order > 0 else { return false }
      }
      if let upper {
        guard let order = order(value, upper.value), upper.isInclusive ? order <= 0 : order < 0 else { return false }
      }
      return true
    case .prefix(let property, let text): return value(property).text?.utf8.starts(with: text.utf8) ?? false
    case .keys(let keys): return keys.contains(row.key)
    case .anyOf(let lists):
      return try lists.contains { try $0.allSatisfy { try meets($0, row, world) } }
    case .related(let property, _, let condition):
      var found: [ObjectKey] = []
      if let slot = layout.slots[property] {
        found = row.isNull(slot) ? [] : [row.reference(slot)]
      } else {
        try world.forEachMember(of: row.key, relationship: property) {
          found.append($0)
          return true
        }
      }
      return try found.contains { key in
        guard let target = try world.row(for: key), try condition.matches(target, in: world) else { return false }
        return try condition.terms.allSatisfy { try meets($0, target, world) }
      }
    }
  }
}

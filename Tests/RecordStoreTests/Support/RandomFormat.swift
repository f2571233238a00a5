import Foundation
import Schema

/// The text of a random predicate, and the objects that stand for its `%@`.
struct RandomFormat {
  var text: String
  var keys: [ObjectKey] = []
}

extension RandomWorld {
  func predicate(_ entity: Int, depth: Int, _ random: inout SeededGenerator) -> RandomFormat {
    switch Int.random(in: 0..<11, using: &random) {
    case 0...2 where depth > 0: return joined(entity, " AND ", depth, &random)
    case 3...5 where depth > 0: return joined(entity, " OR ", depth, &random)
    case 6 where depth > 0:
      var part = predicate(entity, depth: depth - 1, &random)
      part.text = "NOT (\(part.text))"
      return part
    default: return comparison(entity, &random)
    }
  }

  private func joined(_ entity: Int, _ sign: String, _ depth: Int, _ random: inout SeededGenerator) -> RandomFormat {
    let parts = (0..<Int.random(in: 2...3, using: &random)).map { _ in predicate(entity, depth: depth - 1, &random) }
    return RandomFormat(text: parts.map { "(\($0.text))" }.joined(separator: sign), keys: parts.flatMap(\.keys))
  }

  private func comparison(_ entity: Int, _ random: inout SeededGenerator) -> RandomFormat {
    switch Int.random(in: 0..<16, using: &random) {
    case 0: return objects(entity, &random)
    case 1:
      let keys = (0..<3).compactMap { _ in self.keys[entity].randomElement(using: &random) }
      let marks = keys.map { _ in "%@" }.joined(separator: ", ")
      return RandomFormat(text: "SELF IN {\(marks)}", keys: keys)
    case 2:
      let path = ["", "", "one.", "mate."].randomElement(using: &random)!
      return RandomFormat(text: "\(path)\(toMany(&random)).@count \(sign(&random)) \(random.next() % 3)")
    case 3:
      let count = ["> 0", "== 0", "== 1", "< 2", ">= 1", "!= 0"].randomElement(using: &random)!
      let inner = [attribute("$x.", &random), "\(attribute("$x.", &random)) AND \(attribute("$x.", &random))"]
      let subquery = "SUBQUERY(\(toMany(&random)), $x, \(inner.randomElement(using: &random)!))"
      return RandomFormat(text: "\(subquery).@count \(count)")
    case 4:
      let inner = ["$x.a0 == a0", "$x.a0 < a0 AND $x.a2 != a2", "$x.one == SELF"].randomElement(using: &random)!
      return RandomFormat(text: "SUBQUERY(\(toMany(&random)), $x, \(inner)).@count > 0")
    case 5, 6:
      return RandomFormat(text: attribute(["one.", "mate.", "one.one."].randomElement(using: &random)!, &random))
    case 7, 8:
      return RandomFormat(text: "\(quantifier(&random)) \(attribute("\(toMany(&random)).", &random))")
    case 9:
      let many = toMany(&random)
      let path = ["one.\(many).", "\(many).one.", "\(many).\(toMany(&random)).", "mate.\(many)."]
      return RandomFormat(text: "\(quantifier(&random)) \(attribute(path.randomElement(using: &random)!, &random))")
    case 10: return RandomFormat(text: computed(&random))
    default: return RandomFormat(text: attribute("", &random))
    }
  }

  /// Comparisons with an object of the entity that relationships lead to.
  private func objects(_ entity: Int, _ random: inout SeededGenerator) -> RandomFormat {
    guard let key = keys[entity == 0 ? 1 : 0].randomElement(using: &random) else {
      return RandomFormat(text: "one == nil")
    }
    let text = [
      "one == %@", "one != %@", "ANY tags == %@", "ANY loose == %@", "%@ IN many", "mate == %@", "one IN {%@}",
      "NONE tags == %@", "tagged CONTAINS %@", "ANY many.one == %@", "%@ == one",
    ]
    return RandomFormat(text: text.randomElement(using: &random)!, keys: [key])
  }

  /// Expressions that no index knows.
  private func computed(_ random: inout SeededGenerator) -> String {
    let number = Int.random(in: -4..<20, using: &random)
    return [
      "a0 + 1 \(sign(&random)) \(number)", "a0 * 2 > a1", "a2.length \(sign(&random)) \(number)", "a0 == one.a0",
      "a1 <= mate.a1", "TERNARY(a3 == YES, a0, 3) \(sign(&random)) \(number)", "one == mate", "one != nil",
      "\(toMany(&random)).@sum.a0 \(sign(&random)) \(number)", "\(toMany(&random)).@max.a1 > 1",
      "\(toMany(&random)).@min.a0 == nil", "a2 == one.a2", "entity.name == 'E\(abs(number) % 3)'", "one.one == SELF",
      "\(toMany(&random)).@avg.a0 < \(number)", "a7 > a0", "a0 %% 5 == \(abs(number) % 5)",
    ].randomElement(using: &random)!
  }

  private func quantifier(_ random: inout SeededGenerator) -> String {
    ["ANY", "ANY", "ALL", "NONE", "SOME"].randomElement(using: &random)!
  }

  private func toMany(_ random: inout SeededGenerator) -> String {
    ["many", "tags", "tagged", "loose"].randomElement(using: &random)!
  }

  private func sign(_ random: inout SeededGenerator) -> String {
    ["==", "==", "==", "!=", "<", "<=", ">", ">="].randomElement(using: &random)!
  }

  /// An attribute and what it is compared with.
  private func attribute(_ path: String, _ random: inout SeededGenerator) -> String {
    let property = Int.random(in: 0..<Self.attributeCount, using: &random)
    let name = "\(path)a\(property)"
    if Int.random(in: 0..<12, using: &random) == 0 { return "\(name) \(Bool.random(using: &random) ? "==" : "!=") nil" }
    let number = Int.random(in: 0..<25, using: &random)
    let (a, b) = (min(number, 12), max(number, 12))
    let sign = sign(&random)
    switch Self.types[property] {
    case .integer32:
      return [
        "\(name) \(sign) \(number - 5)", "\(name) IN {\(number), 3, 99}", "\(name) BETWEEN {\(a), \(b)}",
        path.isEmpty ? "(\(name) == 3 OR \(name) == \(number))" : "\(name) == 3", "\(name) \(sign) \(number).5",
        "\(name) > \(a - 5) AND a0 < \(b)", "\(name) IN {}",
      ].randomElement(using: &random)!
    case .double: return "\(name) \(sign) \(Double(number) / 4 - 2)"
    case .boolean: return "\(name) \(Bool.random(using: &random) ? "==" : "!=") \(number < 12 ? "YES" : "NO")"
    case .date: return "\(name) \(sign) CAST(\(number * 1000), 'NSDate')"
    case .decimal: return "\(name) \(sign) \(Double(number) / 4)"
    case .uuid: return "\(name) \(sign == "!=" ? "!=" : "==") '\(Self.uuid(number).uuidString)'"
    case .integer64: return "\(name) \(sign) \(Self.large(number % 8))"
    case .float: return "\(name) \(sign) \(Double(number) / 10)"
    case .binary: return "\(name) \(Bool.random(using: &random) ? "==" : "!=") nil"
    case .uri:
      let text = "https://a.example/\(number % 12)"
      return ["\(name) \(sign) '\(text)'", "\(name) BEGINSWITH '\(text)'"].randomElement(using: &random)!
    default: return string(name, sign, Self.text(number), &random)
    }
  }

  private func string(_ name: String, _ sign: String, _ text: String, _ random: inout SeededGenerator) -> String {
    let options = ["", "", "[c]", "[d]", "[cd]", "[n]"].randomElement(using: &random)!
    let isLike = Int.random(in: 0..<4, using: &random) == 0
    let start = text.prefix(Int.random(in: 0...10, using: &random))
    if isLike {
      let pattern = ["\(start)*", "*\(start)", "?\(start.dropFirst())*", "\(start)\\\\*", "*", "\(text)"]
      return "\(name) LIKE\(options) '\(pattern.randomElement(using: &random)!)'"
    }
    return [
      "\(name) \(sign) '\(text)'", "\(name) \(sign)\(options) '\(text)'", "\(name) BEGINSWITH '\(start)'",
      "\(name) BEGINSWITH\(options) '\(start)'", "\(name) CONTAINS[cd] 'e'", "\(name) IN {'\(text)', '1É'}",
      "\(name) ENDSWITH\(options) '\(text.suffix(2))'", "\(name) IN[c] {'\(text)', '1é', nil}",
      "\(name) BETWEEN {'\(start)', 'b'}", "\(name) MATCHES '[0-9]+É?'",
    ].randomElement(using: &random)!
  }
}

/// A random order.
struct RandomSort: CustomStringConvertible {
  let key: String
  let isAscending: Bool
  /// A comparator's name, for strings.
  var selector: String?

  var description: String { "\(key)\(isAscending ? "" : " descending")\(selector.map { " by \($0)" } ?? "")" }
}

extension RandomWorld {
  func sort(_ random: inout SeededGenerator) -> RandomSort {
    let isAscending = Bool.random(using: &random)
    let property = Int.random(in: 0..<Self.attributeCount, using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: return RandomSort(key: "one.a\(property)", isAscending: isAscending)
    case 2: return RandomSort(key: "mate.one.a\(property)", isAscending: isAscending)
    case 3: return RandomSort(key: ["one", "mate", "self"].randomElement(using: &random)!, isAscending: isAscending)
    case 4:
      let selectors = ["caseInsensitiveCompare:", "localizedStandardCompare:", "localizedCompare:"]
      return RandomSort(key: "a2", isAscending: isAscending, selector: selectors.randomElement(using: &random)!)
    default: return RandomSort(key: "a\(property)", isAscending: isAscending)
    }
  }
}

import Foundation
import Schema
import Testing

@testable import Predicates

/// What predicates mean, by the table of behaviours. Each case runs over rows and over objects in memory, which must
/// agree: see `People.matching`. The persons are Ada, Bob, Éve and one without any value, shown as "-".
@Suite("What predicates mean")
struct SemanticsTests {
  private let world = People.sample

  private func names(_ format: String, _ arguments: Any?..., entity: Int = 0) throws -> [String] {
    try world.matching(try NSPredicate(parsing: format, arguments: arguments), entity: entity)
  }

  private func object(_ name: String) -> People.Object {
    world.objects.values.first { ($0.values["name"] ?? $0.values["label"]) as? String == name }!
  }

  @Test("C74: == nil finds rows without a value; NSNull, nil and the literal are the same")
  func null() throws {
    #expect(try names("name == nil") == ["-"])
    #expect(try names("name == %@", nil) == ["-"])
    #expect(try names("name == %@", NSNull()) == ["-"])
    #expect(try names("%@ == name", NSNull()) == ["-"])
    #expect(try names("name != nil") == ["Ada", "Bob", "Éve"])
    #expect(try names("boss == nil") == ["Ada", "-"])
    #expect(try names("boss.name == nil") == ["Ada", "-"])
  }

  @Test("C75: != matches rows without a value")
  func inequalityOfNull() throws {
    #expect(try names("name != 'Ada'") == ["Bob", "Éve", "-"])
    #expect(try names("age != 17") == ["Ada", "Éve", "-"])
    #expect(try names("NOT (age == 17)") == ["Ada", "Éve", "-"])
    #expect(try names("boss.name != 'Ada'") == ["Ada", "-"])
    #expect(try names("age < 100") == ["Ada", "Bob", "Éve"])
  }

  @Test("C77: plain == compares code units, every option folds composed and decomposed spellings together")
  func normalisation() throws {
    #expect(try names("name == 'Éve'") == ["Éve"])
    #expect(try names("name == 'E\u{301}ve'") == [])
    #expect(try names("name ==[n] 'E\u{301}ve'") == ["Éve"])
    #expect(try names("name ==[c] 'e\u{301}VE'") == ["Éve"])
    #expect(try names("name ==[cd] 'eve'") == ["Éve"])
  }

  @Test(
    "C78: [c] folds case only, [d] diacritics only",
    arguments: [
      ("Ärger", "[d]", "Arger", true), ("ÄRGER", "[c]", "ärger", true), ("ÄRGER", "[c]", "arger", false),
      ("ÄRGER", "[d]", "arger", false), ("ÄRGER", "[cd]", "arger", true),
    ])
  func folding(text: String, options: String, other: String, isEqual: Bool) throws {
    let predicate = try NSPredicate(parsing: "SELF ==\(options) %@", arguments: [other])
    #expect(predicate.evaluate(with: text) == isEqual)
  }

  @Test(
    "B038: case folding is Unicode's, whatever the language",
    arguments: [
      ("Жук", "жУК", true), ("ΟΔΥΣΣΕΥΣ", "οδυσσευς", true), ("Straße", "STRASSE", true), ("ẞ", "ß", true),
      ("ı", "I", false), ("İ", "i\u{307}", true), ("ა", "Ა", true), ("K", "\u{212A}", true), ("i", "I", true),
    ])
  func caseFolding(a: String, b: String, isEqual: Bool) throws {
    #expect(try NSPredicate(parsing: "SELF ==[c] %@", arguments: [b]).evaluate(with: a) == isEqual)
    #expect(try NSPredicate(parsing: "SELF ==[c] %@", arguments: [a]).evaluate(with: b) == isEqual)
  }

  @Test("C79: LIKE is anchored; * any run, ? one character, backslash takes the next as it is")
  func like() throws {
    #expect(try names("name LIKE 'A*'") == ["Ada"])
    #expect(try names("name LIKE 'd*'") == [])
    #expect(try names("name LIKE '?d?'") == ["Ada"])
    #expect(try names("name LIKE[cd] 'E?E'") == ["Éve"])
    #expect(try names("name LIKE '%'") == [])
    let star = try NSPredicate(parsing: "SELF LIKE %@", arguments: ["a\\*b"])
    #expect(star.evaluate(with: "a*b") && !star.evaluate(with: "axb"))
  }

  @Test("C81: BETWEEN includes both ends; reversed bounds match nothing")
  func between() throws {
    #expect(try names("age BETWEEN {17, 36}") == ["Ada", "Bob"])
    #expect(try names("age BETWEEN %@", [36, 17]) == [])
    #expect(try names("name BETWEEN {'A', 'B'}") == ["Ada"])
    let dates = [Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: 86_400)]
    #expect(try names("born BETWEEN %@", dates) == ["Ada", "Éve"])
  }

  @Test("C82: IN takes arrays, sets and objects; the empty collection matches nothing; strings contain")
  func membership() throws {
    #expect(try names("name IN %@", ["Ada", "Bob"]) == ["Ada", "Bob"])
    #expect(try names("name IN %@", Set(["Ada"])) == ["Ada"])
    #expect(try names("name IN %@", NSOrderedSet(array: ["Bob"])) == ["Bob"])
    #expect(try names("age IN %@", [] as [Int]) == [])
    #expect(try names("NOT (age IN %@)", [] as [Int]).count == 4)
    #expect(try names("name IN 'Adam and Bob'") == ["Ada", "Bob"])
    #expect(try names("name IN[cd] %@", ["EVE", "ADA"]) == ["Ada", "Éve"])
    #expect(try names("SELF IN %@", [object("Ada")]) == ["Ada"])
    #expect(try names("name IN %@", ["Ada", nil] as [String?]) == ["Ada", "-"])
  }

  @Test("C83: nothing contains, starts or ends with the empty string")
  func emptyNeedle() throws {
    #expect(try names("name CONTAINS ''") == [])
    #expect(try names("name BEGINSWITH[c] ''") == [])
    #expect(try names("name ENDSWITH ''") == [])
  }

  @Test("C85: NOT ANY differs from ANY !=")
  func negatedAny() throws {
    #expect(try names("NOT ANY tags.label == 'swift'") == ["Éve", "-"])
    #expect(try names("NONE tags.label == 'swift'") == ["Éve", "-"])
    #expect(try names("ANY tags.label != 'swift'") == ["Ada", "Éve"])
  }

  @Test("C86: a subquery's conditions hold for one member; two ANYs may be met by two")
  func subquery() throws {
    #expect(try names("ANY tags.label == 'swift' AND ANY tags.weight == 2") == ["Ada"])
    #expect(try names("SUBQUERY(tags, $t, $t.label == 'swift' AND $t.weight == 2).@count > 0") == [])
    #expect(try names("SUBQUERY(reports, $r, $r.age > age).@count == 1") == ["Ada"])
    #expect(
      try names(
        "SUBQUERY(tags, $t, SUBQUERY($t.people, $p, $p.age < $t.weight + 15 AND $p != SELF).@count > 0).@count > 0")
        == ["Ada"])
  }

  @Test("C87: counts and sums of no members are 0, extremes nothing")
  func aggregates() throws {
    #expect(try names("tags.@count == 0") == ["-"])
    #expect(try names("tags.@count > 1") == ["Ada"])
    #expect(try names("tags.@sum.weight == 0") == ["-"])
    #expect(try names("tags.@min.weight < 100") == ["Ada", "Bob", "Éve"])
    #expect(try names("tags.@max.weight == nil") == ["-"])
    #expect(try names("boss.reports.@count == 2") == ["Bob", "Éve"])
    #expect(try names("tags.@avg.weight == 3.5") == ["Ada"])
  }

  @Test("C89: SELF and objectID filter by identity")
  func identity() throws {
    #expect(try names("SELF == %@", object("Bob")) == ["Bob"])
    #expect(try names("objectID == %@", object("Bob")) == ["Bob"])
    #expect(try names("SELF != %@", object("Bob")) == ["Ada", "Éve", "-"])
    #expect(try names("boss == %@", object("Ada")) == ["Bob", "Éve"])
    #expect(try names("ANY reports == %@", object("Bob")) == ["Ada"])
    #expect(try names("reports CONTAINS %@", object("Bob")) == ["Ada"])
    #expect(try names("%@ IN reports", object("Bob")) == ["Ada"])
    #expect(try names("ANY tags IN %@", [object("rust")]) == ["Ada", "Éve"])
  }

  @Test("B034: an object of another entity or store equals none")
  func foreignObjects() throws {
    let stranger = People.Object(key: world.keys[0], store: UUID())
    #expect(try names("SELF == %@", stranger) == [])
    #expect(try names("SELF IN %@", [stranger]) == [])
    #expect(try names("boss != %@", stranger).count == 4)
    #expect(try names("boss IN %@", [object("swift"), object("Red")]) == [])
  }

  @Test("C90: %@ is a value and never a key, %K a key; inside quotes neither is special")
  func placeholders() throws {
    #expect(try names("%K == %@", "name", "Ada") == ["Ada"])
    #expect(try names("%@ == %@", "name", "Ada") == [])
    #expect(try names("name == '%@'") == [])
    #expect(try NSPredicate(parsing: "SELF == '%K'").evaluate(with: "%K"))
    #expect(try names("boss.%K == %@", "name", "Ada") == ["Bob", "Éve"])
  }

  @Test("C91: YES, TRUE, 1, true and NSNumber are one")
  func booleans() throws {
    for format in [
      "flag == YES", "flag == TRUE", "flag == true", "flag == 1", "flag = 1.0", "flag != NO AND flag != nil",
    ] {
      #expect(try names(format) == ["Ada"], "\(format)")
    }
    #expect(try names("flag == %@", true) == ["Ada"])
    #expect(try names("flag == %@", NSNumber(value: true)) == ["Ada"])
    #expect(try names("flag == %d", 1) == ["Ada"])
  }

  @Test("B032: ALL of no members is true, ANY false, NONE true")
  func emptyCollections() throws {
    #expect(try names("ALL tags.label IN {}") == ["-"])
    #expect(try names("ANY tags.label IN {}") == [])
    #expect(try names("NONE tags.label IN {}").count == 4)
    #expect(try world.binder().bind(try NSPredicate(parsing: "age IN {}")).constantResult == false)
  }

  @Test("Constants of every type find what was stored")
  func constants() throws {
    #expect(try names("uid == %@", UUID(uuidString: "00000000-0000-0000-0000-00000000000A")!) == ["Ada"])
    #expect(try names("uid == '00000000-0000-0000-0000-00000000000a'") == ["Ada"])
    #expect(try names("site == %@", URL(string: "https://ada.example")!) == ["Ada"])
    #expect(try names("site BEGINSWITH 'https'") == ["Ada"])
    #expect(try names("blob == %@", Data([1, 2])) == ["Ada"])
    #expect(try names("price == %@", Decimal(string: "9.99")!) == ["Ada"])
    #expect(try names("price == 9.99") == ["Ada"])
    #expect(try names("ratio == 0.1") == ["Ada"])
    #expect(try names("ratio == %@", Float(0.1)) == ["Ada"])
    #expect(try names("big == %lld", Int64(1) << 60) == ["Ada"])
    #expect(try names("big < %@", UInt64.max) == ["Ada"])
    #expect(try names("age == '36'") == ["Ada"])
    #expect(try names("age == 36.0") == ["Ada"])
    #expect(try names("age > 35.5 AND age < 36.5") == ["Ada"])
    #expect(try names("born == '2001-01-02'") == ["Ada"])
    #expect(try names("born == '2001-01-02T02:00:00+02:00'") == ["Ada"])
    #expect(try names("born > %@", Date(timeIntervalSinceReferenceDate: 1)) == ["Ada"])
  }

  private enum Colour: Int { case red = 17 }

  @Test("An enumeration's case stands for its raw value")
  func enumerations() throws {
    #expect(try names("age == %@", Colour.red) == ["Bob"])
    #expect(try names("age == %d", Colour.red) == ["Bob"])
  }

  @Test("Rows of sub-entities are read by their own layout")
  func subentities() throws {
    #expect(try names("age == 52") == ["Éve"])
    #expect(try names("entity.name == 'Employee'") == ["Éve"])
    #expect(try names("salary == 10 AND desk == 'd1'", entity: 1) == ["Éve"])
  }

  @Test("Variables take the values given")
  func variables() throws {
    let predicate = try NSPredicate(parsing: "age > $LIMIT AND boss.name == $WHO.name")
    let variables: [String: Any] = ["LIMIT": 20, "WHO": object("Ada")]
    #expect(try world.matching(predicate, variables: variables) == ["Éve"])
    let fixed = try NSPredicate(parsing: "age > $LIMIT").withSubstitutionVariables(["LIMIT": 20])
    #expect(try world.matching(fixed) == ["Ada", "Éve"])
    #expect(fixed.formatText == "age > 20")
  }
}

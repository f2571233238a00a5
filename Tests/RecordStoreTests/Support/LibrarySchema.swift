import Foundation
import Schema

/// A schema with one of everything: an abstract entity with two below it, every kind of relationship, constraints,
/// a fetch index and every kind of derived value.
enum Library {
  static let shelf = 0
  static let work = 1
  static let book = 2
  static let record = 3
  static let tag = 4
  static let list = 5
  static let everything = 6

  enum Shelf {
    static let label = 0
    static let works = 1
    static let workCount = 2
    static let pages = 3
    static let longest = 4
    static let lists = 5
    static let shortest = 6
  }
  /// Properties of works, and so of books and records.
  enum Work {
    static let title = 0
    static let folded = 1
    static let shelf = 2
    static let tags = 3
    static let pages = 4
    static let shelfLabel = 5
    static let touched = 6
    static let related = 7
    static let code = 8
  }
  enum Book {
    static let isbn = 9
    static let volume = 10
  }
  enum Tag {
    static let name = 0
    static let works = 1
    static let workCount = 2
    static let pages = 3
  }
  enum List {
    static let name = 0
    static let entries = 1
    static let shelf = 2
    static let entryCount = 3
  }

  static func attribute(
    _ name: String, _ type: AttributeType, _ derivation: Derivation? = nil, preserved: Bool = false,
    default value: Value = .null
  ) -> PropertySchema {
    PropertySchema(
      name: name,
      kind: .attribute(
        AttributeSchema(type: type, defaultValue: value, derivation: derivation, preservesValueOnDeletion: preserved)))
  }

  static func one(_ name: String, _ destination: Int, inverse: Int?) -> PropertySchema {
    PropertySchema(
      name: name,
      kind: .relationship(RelationshipSchema(destination: destination, inverse: inverse, isToMany: false)))
  }

  static func many(_ name: String, _ destination: Int, inverse: Int?, ordered: Bool = false) -> PropertySchema {
    PropertySchema(
      name: name,
      kind: .relationship(
        RelationshipSchema(destination: destination, inverse: inverse, isToMany: true, isOrdered: ordered)))
  }

  static let workProperties: [PropertySchema] = [
    attribute("title", .string, preserved: true),
    attribute("folded", .string, .own(property: Work.title, .canonical)),
    one("shelf", shelf, inverse: Shelf.works),
    many("tags", tag, inverse: Tag.works),
    attribute("pages", .integer32, default: .int(1)),
    attribute("shelfLabel", .string, .related(relationship: Work.shelf, property: Shelf.label, .uppercase)),
    attribute("touched", .date, .now),
    many("related", work, inverse: nil),
    attribute("code", .string),
  ]

  static let shelfProperties: [PropertySchema] = [
    attribute("label", .string),
    many("works", work, inverse: Work.shelf),
    attribute("workCount", .integer64, .aggregate(relationship: Shelf.works, .count, property: nil)),
    attribute("pages", .integer64, .aggregate(relationship: Shelf.works, .sum, property: Work.pages)),
    attribute("longest", .integer32, .aggregate(relationship: Shelf.works, .max, property: Work.pages)),
    many("lists", list, inverse: List.shelf),
    attribute("shortest", .integer32, .aggregate(relationship: Shelf.works, .min, property: Work.pages)),
  ]

  static let schema: Schema = {
    let typed = AttributeType.allCases.map { attribute($0.name, $0) }
    return Schema(entities: [
      EntitySchema(
        name: "Shelf", index: shelf, superentity: nil, isAbstract: false, properties: shelfProperties,
        inheritedCount: 0, constraints: [[Shelf.label]]),
      EntitySchema(
        name: "Work", index: work, superentity: nil, isAbstract: true, properties: workProperties, inheritedCount: 0,
        constraints: [[Work.code]],
        fetchIndexes: [
          FetchIndexSchema(
            name: "byPages", elements: [FetchIndexSchema.Element(property: Work.pages, isAscending: true)]),
          FetchIndexSchema(
            name: "byFolded", elements: [FetchIndexSchema.Element(property: Work.folded, isAscending: true)]),
        ]),
      EntitySchema(
        name: "Book", index: book, superentity: work, isAbstract: false,
        properties: workProperties + [attribute("isbn", .string), attribute("volume", .integer16)],
        inheritedCount: workProperties.count, constraints: [[Work.code], [Book.isbn, Book.volume]]),
      EntitySchema(
        name: "Record", index: record, superentity: work, isAbstract: false,
        properties: workProperties + [attribute("speed", .double)], inheritedCount: workProperties.count,
        constraints: [[Work.code]]),
      EntitySchema(
        name: "Tag", index: tag, superentity: nil, isAbstract: false,
        properties: [
          attribute("name", .string),
          many("works", work, inverse: Work.tags),
          attribute("workCount", .integer32, .aggregate(relationship: Tag.works, .count, property: nil)),
          attribute("pages", .double, .aggregate(relationship: Tag.works, .sum, property: Work.pages)),
        ], inheritedCount: 0),
      EntitySchema(
        name: "List", index: list, superentity: nil, isAbstract: false,
        properties: [
          attribute("name", .string),
          many("entries", work, inverse: nil, ordered: true),
          one("shelf", shelf, inverse: Shelf.lists),
          attribute("entryCount", .integer16, .aggregate(relationship: List.entries, .count, property: nil)),
        ], inheritedCount: 0),
      EntitySchema(
        name: "Everything", index: everything, superentity: nil, isAbstract: false, properties: typed,
        inheritedCount: 0),
    ])
  }()
}

import CoreData

extension Book {
  /// Hand-written code beside a generated class.
  public var summary: String { "\(name ?? "-"), \(pages) pages, on \(shelf?.place ?? "the floor")" }
}

extension Shelf {
  /// A primitive accessor in an extension of a generated class.
  @NSManaged public var primitivePlace: String?
}

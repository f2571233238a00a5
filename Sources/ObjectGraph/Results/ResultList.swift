internal import Foundation

/// The results of a controller at some time: objects in order, cut into sections.
struct ResultList {
  struct Section {
    let name: String
    var range: Range<Int>
  }

  private(set) var objects: [NSManagedObject] = []
  private(set) var sections: [Section] = []
  private let places: [ObjectIdentifier: Int]

  /// No results, as after a reset.
  init() { places = [:] }

  /// - Throws: `NSCoreDataError` when objects of a section are not together.
  init(_ objects: [NSManagedObject], sectionKeyPath: String?, entity: String) throws {
    self.objects = objects
    var places: [ObjectIdentifier: Int] = [:]
    places.reserveCapacity(objects.count)
    for (place, object) in objects.enumerated() { places[ObjectIdentifier(object)] = place }
    self.places = places
    guard let sectionKeyPath else {
      sections = [Section(name: "", range: 0..<objects.count)]
      return
    }
    var seen = Set<String>()
    for (place, object) in objects.enumerated() {
      let name: String = Self.name(object.value(forKeyPath: sectionKeyPath))
      if let last = sections.last, last.name == name {
        sections[sections.count - 1].range = last.range.lowerBound..<place + 1
        continue
      }
      guard seen.insert(name).inserted else {
        throw GraphError.make(
          NSCoreDataError,
          "The fetched object at index \(place) of \(entity) has an out of order section name '\(name)': sort by \(sectionKeyPath) first, so that each section's objects are together."
        )
      }
      sections.append(Section(name: name, range: place..<place + 1))
    }
  }

  private static func name(_ value: Any?) -> String {
    guard let value, !(value is NSNull) else { return "" }
    return value as? String ?? "\(value)"
  }

  var ids: [NSManagedObjectID] { objects.map { $0.objectID } }

  func place(of object: NSManagedObject) -> Int? { places[ObjectIdentifier(object)] }

  func indexPath(of object: NSManagedObject) -> IndexPath? { place(of: object).map { indexPath(at: $0) } }

  /// Index of the section that a place is in.
  func section(at place: Int) -> Int {
    var low: Int = 0
    var high: Int = sections.count
    while low < high {
      let middle: Int = (low + high) / 2
      if sections[middle].range.upperBound <= place { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func indexPath(at place: Int) -> IndexPath {
    let section: Int = section(at: place)
    return IndexPath(row: place - sections[section].range.lowerBound, section: section)
  }

  func object(section: Int, row: Int) -> NSManagedObject? {
    guard sections.indices.contains(section), row >= 0, row < sections[section].range.count else { return nil }
    return objects[sections[section].range.lowerBound + row]
  }
}

internal import Foundation

/// How one list of results becomes another, so that whoever takes out what is deleted and moved, at the places of the
/// old list, and then puts in what is inserted and moved, at the places of the new one, has the new list.
struct ResultChanges {
  struct Change {
    let object: NSManagedObject
    let type: NSFetchedResultsChangeType
    let from: IndexPath?
    let to: IndexPath?
  }

  struct SectionChange {
    let name: String
    let index: Int
    let objects: [NSManagedObject]
  }

  private(set) var objects: [Change] = []
  private(set) var deletedSections: [SectionChange] = []
  private(set) var insertedSections: [SectionChange] = []
  /// Ids before and after, for the difference.
  var before: [NSManagedObjectID] = []
  var after: [NSManagedObjectID] = []
  /// Ids of objects that were changed themselves and are still there.
  private(set) var reloaded: [NSManagedObjectID] = []

  init() {}

  /// - Parameter touched: objects that may have other values than before.
  init(from old: ResultList, to new: ResultList, touched: Set<NSManagedObject>) {
    before = old.ids
    after = new.ids
    let stays: [Bool] = Self.stationary(old, new, touched)
    compareSections(old, new)
    for (place, object) in old.objects.enumerated() where new.place(of: object) == nil {
      add(object, .delete, from: old.indexPath(at: place), to: nil)
    }
    for (place, object) in new.objects.enumerated() {
      let path: IndexPath = new.indexPath(at: place)
      guard let oldPlace = old.place(of: object) else {
        add(object, .insert, from: nil, to: path)
        continue
      }
      if !stays[oldPlace] {
        add(object, .move, from: old.indexPath(at: oldPlace), to: path)
      } else if touched.contains(object) {
        add(object, .update, from: old.indexPath(at: oldPlace), to: path)
      }
      if touched.contains(object) { reloaded.append(object.objectID) }
    }
  }

  var isEmpty: Bool { objects.isEmpty && deletedSections.isEmpty && insertedSections.isEmpty }

  private mutating func add(
    _ object: NSManagedObject, _ type: NSFetchedResultsChangeType, from: IndexPath?, to: IndexPath?
  ) {
    objects.append(Change(object: object, type: type, from: from, to: to))
  }

  private mutating func compareSections(_ old: ResultList, _ new: ResultList) {
    let oldNames: Set<String> = Set(old.sections.map { $0.name })
    let newNames: Set<String> = Set(new.sections.map { $0.name })
    for (index, section) in old.sections.enumerated() where !newNames.contains(section.name) {
      deletedSections.append(
        SectionChange(name: section.name, index: index, objects: Array(old.objects[section.range])))
    }
    for (index, section) in new.sections.enumerated() where !oldNames.contains(section.name) {
      insertedSections.append(
        SectionChange(name: section.name, index: index, objects: Array(new.objects[section.range])))
    }
  }

  // MARK: who stays

  /// For each object of the old list whether it keeps its place among those that stay: in the same section, in the
  /// same order. Objects that were not touched stay wherever that is possible.
  private static func stationary(
    _ old: ResultList, _ new: ResultList, _ touched: Set<NSManagedObject>
  ) -> [Bool] {
    var stays = [Bool](repeating: false, count: old.objects.count)
    /// Old place and new place of those that could stay.
    var all: [(old: Int, new: Int, isTouched: Bool)] = []
    var untouched: [(old: Int, new: Int)] = []
    for (place, object) in old.objects.enumerated() {
      guard let newPlace = new.place(of: object),
        old.sections[old.section(at: place)].name == new.sections[new.section(at: newPlace)].name
      else { continue }
      let isTouched: Bool = touched.contains(object)
      all.append((place, newPlace, isTouched))
      if !isTouched { untouched.append((place, newPlace)) }
    }
    let anchors: Set<Int> = Set(longestRise(untouched.map { $0.new }).map { untouched[$0].old })
    var gap: [(old: Int, new: Int)] = []
    var floor: Int = -1
    func close(_ ceiling: Int) {
      let fitting: [(old: Int, new: Int)] = gap.filter { $0.new > floor && $0.new < ceiling }
      for index in longestRise(fitting.map { $0.new }) { stays[fitting[index].old] = true }
      gap = []
    }
    for item in all {
      if anchors.contains(item.old) {
        close(item.new)
        stays[item.old] = true
        floor = item.new
      } else {
        gap.append((item.old, item.new))
      }
    }
    close(Int.max)
    return stays
  }

  /// Indexes of a longest rising subsequence.
  static func longestRise(_ numbers: [Int]) -> [Int] {
    var tails: [Int] = []
    var previous = [Int](repeating: -1, count: numbers.count)
    for (index, number) in numbers.enumerated() {
      var low: Int = 0
      var high: Int = tails.count
      while low < high {
        let middle: Int = (low + high) / 2
        if numbers[tails[middle]] < number { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[index] = tails[low - 1] }
      if low == tails.count { tails.append(index) } else { tails[low] = index }
    }
    var rise: [Int] = []
    var next: Int = tails.last ?? -1
    while next >= 0 {
      rise.append(next)
      next = previous[next]
    }
    return rise.reversed()
  }

  // MARK: as a difference

  /// The change of the ids. What moved or changed in place is removed and inserted, each knowing the other's place.
  func difference() -> CollectionDifference<NSManagedObjectID> {
    var changes: [CollectionDifference<NSManagedObjectID>.Change] = []
    var oldPlaces: [NSManagedObjectID: Int] = [:]
    for (place, id) in before.enumerated() { oldPlaces[id] = place }
    var newPlaces: [NSManagedObjectID: Int] = [:]
    for (place, id) in after.enumerated() { newPlaces[id] = place }
    let moved: Set<NSManagedObjectID> = Set(
      objects.lazy.filter { $0.type == .move || $0.type == .update }.map { $0.object.objectID })
    for (place, id) in before.enumerated() {
      guard let newPlace = newPlaces[id] else {
        changes.append(.remove(offset: place, element: id, associatedWith: nil))
        continue
      }
      if moved.contains(id) { changes.append(.remove(offset: place, element: id, associatedWith: newPlace)) }
    }
    for (place, id) in after.enumerated() {
      guard let oldPlace = oldPlaces[id] else {
        changes.append(.insert(offset: place, element: id, associatedWith: nil))
        continue
      }
      if moved.contains(id) { changes.append(.insert(offset: place, element: id, associatedWith: oldPlace)) }
    }
    // Never nil: places are unique, and every associated change has its other half.
    return CollectionDifference(changes) ?? after.difference(from: before)
  }
}

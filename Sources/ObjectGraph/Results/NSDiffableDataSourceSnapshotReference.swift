public import Foundation
internal import Schema

/// The whole of a list at some time: sections and items by identifiers that are unique. What UIKit and AppKit have for
/// lists; absent from Linux.
open class NSDiffableDataSourceSnapshotReference: NSObject, NSCopying {
  private var sections: [(identifier: AnyHashable, items: [AnyHashable])] = []
  private var sectionOfItem: [AnyHashable: AnyHashable] = [:]
  private var reloaded: [AnyHashable] = []
  private var reconfigured: [AnyHashable] = []

  /// A snapshot without sections.
  public override init() { super.init() }

  // MARK: what is in it

  /// How many items, in all sections.
  open var numberOfItems: Int { sections.reduce(0) { $0 + $1.items.count } }
  /// How many sections.
  open var numberOfSections: Int { sections.count }
  /// The sections, in order.
  open var sectionIdentifiers: [Any] { sections.map { $0.identifier.base } }
  /// The items of all sections, in order.
  open var itemIdentifiers: [Any] { sections.flatMap { section in section.items.map { $0.base } } }
  /// Items that have changed while they kept their identity.
  open var reloadedItemIdentifiers: [Any] { reloaded.map { $0.base } }
  /// Items to be shown anew in place.
  open var reconfiguredItemIdentifiers: [Any] { reconfigured.map { $0.base } }

  /// How many items a section has. Stops the program when there is no such section.
  open func numberOfItems(inSection sectionIdentifier: Any) -> Int { items(of: sectionIdentifier).count }

  /// The items of a section, in order. Stops the program when there is no such section.
  open func itemIdentifiersInSection(withIdentifier sectionIdentifier: Any) -> [Any] {
    items(of: sectionIdentifier).map { $0.base }
  }

  /// The section of an item; `nil` when there is no such item.
  open func sectionIdentifier(forSectionContainingItemIdentifier itemIdentifier: Any) -> Any? {
    sectionOfItem[Self.hashable(itemIdentifier)]?.base
  }

  /// An item's place among all items; `NSNotFound` when there is no such item.
  open func index(ofItemIdentifier itemIdentifier: Any) -> Int {
    let wanted: AnyHashable = Self.hashable(itemIdentifier)
    var place: Int = 0
    for section in sections {
      if let found = section.items.firstIndex(of: wanted) { return place + found }
      place += section.items.count
    }
    return NSNotFound
  }

  /// A section's place; `NSNotFound` when there is no such section.
  open func index(ofSectionIdentifier sectionIdentifier: Any) -> Int {
    let wanted: AnyHashable = Self.hashable(sectionIdentifier)
    return sections.firstIndex { $0.identifier == wanted } ?? NSNotFound
  }

  // MARK: changing it

  /// Adds sections at the end. Stops the program for one that is there already.
  open func appendSections(withIdentifiers sectionIdentifiers: [Any]) {
    for identifier in sectionIdentifiers.map(Self.hashable) {
      guard !sections.contains(where: { $0.identifier == identifier }) else {
        ProgrammerError.stop("The snapshot has a section '\(identifier)' already.")
      }
      sections.append((identifier, []))
    }
  }

  /// Adds items to a section. Stops the program for one that is there already, or without such a section.
  open func appendItems(withIdentifiers identifiers: [Any], intoSectionWithIdentifier sectionIdentifier: Any) {
    let section: Int = index(ofSectionIdentifier: sectionIdentifier)
    guard section != NSNotFound else {
      ProgrammerError.stop("The snapshot has no section '\(sectionIdentifier)' to add items to.")
    }
    for item in identifiers.map(Self.hashable) {
      guard sectionOfItem.updateValue(sections[section].identifier, forKey: item) == nil else {
        ProgrammerError.stop("The snapshot has the item '\(item)' already.")
      }
      sections[section].items.append(item)
    }
  }

  /// Adds items to the last section.
  open func appendItems(withIdentifiers identifiers: [Any]) {
    guard let last = sections.last else { ProgrammerError.stop("The snapshot has no section to add items to.") }
    appendItems(withIdentifiers: identifiers, intoSectionWithIdentifier: last.identifier.base)
  }

  /// Takes items out.
  open func deleteItems(withIdentifiers identifiers: [Any]) {
    let gone: Set<AnyHashable> = Set(identifiers.map(Self.hashable))
    for index in sections.indices { sections[index].items.removeAll { gone.contains($0) } }
    for item in gone { sectionOfItem[item] = nil }
  }

  /// Takes everything out.
  open func deleteAllItems() {
    sections = []
    sectionOfItem = [:]
  }

  /// Takes sections out, and their items.
  open func deleteSections(withIdentifiers sectionIdentifiers: [Any]) {
    for identifier in sectionIdentifiers.map(Self.hashable) {
      for section in sections where section.identifier == identifier {
        for item in section.items { sectionOfItem[item] = nil }
      }
      sections.removeAll { $0.identifier == identifier }
    }
  }

  /// Marks items as changed.
  open func reloadItems(withIdentifiers identifiers: [Any]) { reloaded += identifiers.map(Self.hashable) }

  /// Marks items to be shown anew in place.
  open func reconfigureItems(withIdentifiers identifiers: [Any]) { reconfigured += identifiers.map(Self.hashable) }

  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSDiffableDataSourceSnapshotReference()
    copy.sections = sections
    copy.sectionOfItem = sectionOfItem
    copy.reloaded = reloaded
    copy.reconfigured = reconfigured
    return copy
  }

  private func items(of sectionIdentifier: Any) -> [AnyHashable] {
    let section: Int = index(ofSectionIdentifier: sectionIdentifier)
    guard section != NSNotFound else { ProgrammerError.stop("The snapshot has no section '\(sectionIdentifier)'.") }
    return sections[section].items
  }

  private static func hashable(_ identifier: Any) -> AnyHashable {
    guard let hashable = identifier as? AnyHashable else {
      ProgrammerError.stop("'\(identifier)' can't be an identifier in a snapshot: it is not hashable.")
    }
    return hashable
  }
}

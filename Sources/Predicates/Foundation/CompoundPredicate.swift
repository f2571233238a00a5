internal import Foundation

/// What a format gives for AND, OR and NOT. Foundation's own class would do but for its text, its copies and its idea
/// of equality, which all ignore the parts.
final class CompoundPredicate: NSCompoundPredicate {
  override var predicateFormat: String { PredicatePrinter.text(of: self) }

  override var description: String { PredicatePrinter.text(of: self) }

  override func copy(with zone: NSZone? = nil) -> Any { self }

  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPredicate else { return false }
    return isSamePredicate(self, other)
  }

  override var hash: Int { subpredicates.count &* 31 &+ Int(compoundPredicateType.rawValue) }
}

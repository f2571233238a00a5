// For ported code: `import CoreData` gives what it gives on Apple's platforms, Foundation included.
@_exported public import Annals
@_exported public import Foundation

// Foundation on Linux has these names too, for classes that cannot be used. A name that a module declares itself comes
// before those it re-exports, so with `import CoreData` alone they can be written in type annotations.

/// See `Predicates.NSExpression`.
public typealias NSExpression = Annals.NSExpression
/// See `Predicates.NSComparisonPredicate`.
public typealias NSComparisonPredicate = Annals.NSComparisonPredicate

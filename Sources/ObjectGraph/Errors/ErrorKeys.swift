// Keys of an error's `userInfo`.

/// The errors that one error gathers: `[Error]`.
public let NSDetailedErrorsKey: String = "NSDetailedErrors"
/// The object that failed validation.
public let NSValidationObjectErrorKey: String = "NSValidationErrorObject"
/// Name of the property that failed validation.
public let NSValidationKeyErrorKey: String = "NSValidationErrorKey"
/// The predicate that was not met.
public let NSValidationPredicateErrorKey: String = "NSValidationErrorPredicate"
/// The value that failed validation.
public let NSValidationValueErrorKey: String = "NSValidationErrorValue"
/// The stores that an error is about: `[NSPersistentStore]`.
public let NSAffectedStoresErrorKey: String = "NSAffectedStoresErrorKey"
/// The objects that an error is about: `[NSManagedObject]`.
public let NSAffectedObjectsErrorKey: String = "NSAffectedObjectsErrorKey"
/// The conflicts of a save: `[NSMergeConflict]` or `[NSConstraintConflict]`.
public let NSPersistentStoreSaveConflictsErrorKey: String = "conflictList"
/// Kept for ported code: no error of this package has this domain.
public let NSSQLiteErrorDomain: String = "NSSQLiteErrorDomain"

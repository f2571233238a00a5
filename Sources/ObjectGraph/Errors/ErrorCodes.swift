// Codes of the errors that this package throws, in `NSCocoaErrorDomain`: Core Data's names and numbers, so that ported
// code keeps its comparisons.

/// An object failed validation in a way that has no code of its own.
public let NSManagedObjectValidationError: Int = 1550
/// An object would share the values of a uniqueness constraint.
public let NSManagedObjectConstraintValidationError: Int = 1551
/// Several validations failed: they are under `NSDetailedErrorsKey`.
public let NSValidationMultipleErrorsError: Int = 1560
/// A property that is not optional has no value.
public let NSValidationMissingMandatoryPropertyError: Int = 1570
/// A to-many relationship has too few members.
public let NSValidationRelationshipLacksMinimumCountError: Int = 1580
/// A to-many relationship has too many members.
public let NSValidationRelationshipExceedsMaximumCountError: Int = 1590
/// A relationship with the deny rule still has members.
public let NSValidationRelationshipDeniedDeleteError: Int = 1600
/// A number is above its maximum, or outside what its attribute can hold.
public let NSValidationNumberTooLargeError: Int = 1610
/// A number is below its minimum.
public let NSValidationNumberTooSmallError: Int = 1620
/// A date is after its latest.
public let NSValidationDateTooLateError: Int = 1630
/// A date is before its earliest.
public let NSValidationDateTooSoonError: Int = 1640
/// A date is no date.
public let NSValidationInvalidDateError: Int = 1650
/// A string is longer than its maximum.
public let NSValidationStringTooLongError: Int = 1660
/// A string is shorter than its minimum.
public let NSValidationStringTooShortError: Int = 1670
/// A string does not match its pattern.
public let NSValidationStringPatternMatchingError: Int = 1680
/// A URI attribute's value is no URI.
public let NSValidationInvalidURIError: Int = 1690
/// A context could not be locked.
public let NSManagedObjectContextLockingError: Int = 132000
/// A coordinator could not be locked.
public let NSPersistentStoreCoordinatorLockingError: Int = 132010
/// A fault points to an object that its store does not have.
public let NSManagedObjectReferentialIntegrityError: Int = 133000
/// A relationship would lead to an object in another store.
public let NSManagedObjectExternalRelationshipError: Int = 133010
/// Objects changed in the store since they were read, and the merge policy does not resolve it.
public let NSManagedObjectMergeError: Int = 133020
/// Objects share the values of a uniqueness constraint, and the merge policy does not resolve it.
public let NSManagedObjectConstraintMergeError: Int = 133021
/// No store of this type is known.
public let NSPersistentStoreInvalidTypeError: Int = 134000
/// The store at the URL has another type.
public let NSPersistentStoreTypeMismatchError: Int = 134010
/// The model has entities that the store can't hold.
public let NSPersistentStoreIncompatibleSchemaError: Int = 134020
/// A save could not be written.
public let NSPersistentStoreSaveError: Int = 134030
/// Some of the stores of a save could not be written.
public let NSPersistentStoreIncompleteSaveError: Int = 134040
/// A save met conflicts that are not resolved.
public let NSPersistentStoreSaveConflictsError: Int = 134050
/// A fault that has no code of its own.
public let NSCoreDataError: Int = 134060
/// An operation on a store failed.
public let NSPersistentStoreOperationError: Int = 134070
/// A store could not be opened.
public let NSPersistentStoreOpenError: Int = 134080
/// A store did not answer in time.
public let NSPersistentStoreTimeoutError: Int = 134090
/// A store can't execute a request of this kind.
public let NSPersistentStoreUnsupportedRequestTypeError: Int = 134091
/// The model is not the one the store was made with.
public let NSPersistentStoreIncompatibleVersionHashError: Int = 134100
/// A migration failed.
public let NSMigrationError: Int = 134110
/// Migrated objects would violate a uniqueness constraint.
public let NSMigrationConstraintViolationError: Int = 134111
/// A migration was cancelled.
public let NSMigrationCancelledError: Int = 134120
/// The model that the store was made with is not found.
public let NSMigrationMissingSourceModelError: Int = 134130
/// No mapping leads from the store's model to this one.
public let NSMigrationMissingMappingModelError: Int = 134140
/// A migration can't read its source.
public let NSMigrationManagerSourceStoreError: Int = 134150
/// A migration can't write its destination.
public let NSMigrationManagerDestinationStoreError: Int = 134160
/// An entity's migration policy failed.
public let NSEntityMigrationPolicyError: Int = 134170
/// Kept for ported code: no store of this package is SQLite.
public let NSSQLiteError: Int = 134180
/// No mapping can be inferred between two models.
public let NSInferredMappingModelError: Int = 134190
/// Kept for ported code.
public let NSExternalRecordImportError: Int = 134200
/// The history after a token was deleted.
public let NSPersistentHistoryTokenExpiredError: Int = 134301
/// A model reference names a model that is not found.
public let NSManagedObjectModelReferenceNotFoundError: Int = 134504
/// A store was migrated in stages by a newer version of this package.
public let NSStagedMigrationFrameworkVersionMismatchError: Int = 134505
/// The stages of a migration would lead back to an older model.
public let NSStagedMigrationBackwardMigrationError: Int = 134506

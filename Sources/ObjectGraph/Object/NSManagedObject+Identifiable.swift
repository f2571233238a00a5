// `id` is the object's identity in memory, as for any class.
extension NSManagedObject: Identifiable {}

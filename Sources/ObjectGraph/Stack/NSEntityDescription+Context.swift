public import Model
internal import Schema

extension NSEntityDescription {
  /// The entity of a name in a context's model; `nil` when it has none.
  public class func entity(forEntityName entityName: String, in context: NSManagedObjectContext) -> NSEntityDescription?
  {
    context.modelInfo.entitiesByName[entityName]?.description
  }

  /// Inserts a new object into a context, an instance of the class that the model gives the entity.
  ///
  /// A name that the context's model does not have stops the program. On the context's queue.
  public class func insertNewObject(
    forEntityName entityName: String, into context: NSManagedObjectContext
  ) -> NSManagedObject {
    guard let info = context.modelInfo.entitiesByName[entityName] else {
      let known: String = context.modelInfo.schema.entities.map { $0.name }.joined(separator: ", ")
      ProgrammerError.stop("There is no entity '\(entityName)' in the model of the context; it has \(known).")
    }
    return info.objectClass.init(entity: info.description, insertInto: context)
  }
}

internal import Foundation
public import Model
internal import Schema

extension NSManagedObject {
  /// The entity that the class belongs to, among the models in use. Stops the program unless there is exactly one.
  public class func entity() -> NSEntityDescription {
    let found: [NSEntityDescription] = CoordinatorRegistry.models.compactMap { model in
      (try? ModelInfo.of(model))?.entities(of: self).first?.description
    }
    guard let entity = found.first else {
      ProgrammerError.stop(
        "No model in use has an entity of the class '\(String(reflecting: self))': load a container first, and name the class in its model."
      )
    }
    return entity
  }

  /// A request for all objects of the class's entity. The entity is looked up by the class's name when no model in use
  /// has it yet.
  public class func fetchRequest<ResultType>() -> NSFetchRequest<ResultType> {
    let request = NSFetchRequest<ResultType>(entityName: requestedEntityName)
    return request
  }

  private class var requestedEntityName: String {
    for model in CoordinatorRegistry.models {
      if let info = (try? ModelInfo.of(model))?.entities(of: self).first { return info.entity.name }
    }
    return String(describing: self)
  }
}

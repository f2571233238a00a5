internal import Foundation
public import Model
internal import Predicates

extension NSManagedObjectModel {
  /// A fetch request that the model keeps by name, from the model file or set by the program; `nil` for an unknown
  /// name. With variables still in it, it can't be executed: see `fetchRequestFromTemplate`.
  ///
  /// A template whose predicate has a fault makes a request that reports it when executed.
  public func fetchRequestTemplate(forName name: String) -> NSFetchRequest<any NSFetchRequestResult>? {
    if let set = templateObjects[name] as? NSFetchRequest<any NSFetchRequestResult> { return set }
    guard let template = templates[name] else { return nil }
    return request(from: template)
  }

  /// All templates, by name.
  public var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] {
    var all: [String: NSFetchRequest<any NSFetchRequestResult>] = [:]
    for name in Set(templates.keys).union(templateObjects.keys) { all[name] = fetchRequestTemplate(forName: name) }
    return all
  }

  /// A copy of a template with values in place of its variables.
  ///
  /// - Parameters:
  ///   - name: of the template.
  ///   - variables: values by the variables' names, without the dollar.
  public func fetchRequestFromTemplate(
    withName name: String, substitutionVariables variables: [String: Any]
  ) -> NSFetchRequest<any NSFetchRequestResult>? {
    guard let template = fetchRequestTemplate(forName: name),
      let request = template.copy() as? NSFetchRequest<any NSFetchRequestResult>
    else { return nil }
    request.predicate = request.predicate?.withSubstitutionVariables(variables)
    return request
  }

  /// Keeps a fetch request as a template, or with `nil` removes one. Only while the model is not in use.
  public func setFetchRequestTemplate(
    _ template: NSFetchRequest<any NSFetchRequestResult>?, forName name: String
  ) {
    templateObjects[name] = template?.copy() as AnyObject?
    if template == nil { templates[name] = nil }
  }

  /// Keeps a copy of a typed fetch request as a template. Only while the model is not in use.
  public func setFetchRequestTemplate<ResultType>(_ template: NSFetchRequest<ResultType>, forName name: String) {
    let erased = NSFetchRequest<any NSFetchRequestResult>()
    erased.settings = template.settings
    templateObjects[name] = erased
  }

  private func request(from template: FetchRequestTemplate) -> NSFetchRequest<any NSFetchRequestResult> {
    let request = NSFetchRequest<any NSFetchRequestResult>(template, in: self)
    return request
  }
}

extension NSFetchRequest {
  /// The request that a model file describes.
  convenience init(_ template: FetchRequestTemplate, in model: NSManagedObjectModel?) {
    self.init(entityName: template.entityName)
    settings.entity = model?.entitiesByName[template.entityName]
    settings.resultType = NSFetchRequestResultType(rawValue: template.resultType)
    settings.fetchLimit = template.fetchLimit
    settings.fetchBatchSize = template.fetchBatchSize
    settings.includesSubentities = template.includesSubentities
    settings.includesPropertyValues = template.includesPropertyValues
    settings.includesPendingChanges = template.includesPendingChanges
    settings.returnsObjectsAsFaults = template.returnsObjectsAsFaults
    settings.returnsDistinctResults = template.returnsDistinctResults
    guard let format = template.predicateFormat, !format.isEmpty else { return }
    do {
      settings.predicate = try NSPredicate(parsing: format)
    } catch {
      settings.fault = GraphError.make(
        NSPersistentStoreOperationError,
        "The fetch request template '\(template.name)' of the model has a predicate with a fault: \(error.message)",
        underlying: error)
    }
  }
}

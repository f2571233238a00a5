public import Model

extension NSFetchedPropertyDescription {
  /// The request whose results are the property's value. A copy each time for one that a model file gives.
  public var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    get {
      if let set = requestObject as? NSFetchRequest<any NSFetchRequestResult> { return set }
      return template.map { NSFetchRequest<any NSFetchRequestResult>($0, in: entity.model) }
    }
    set { requestObject = newValue }
  }
}

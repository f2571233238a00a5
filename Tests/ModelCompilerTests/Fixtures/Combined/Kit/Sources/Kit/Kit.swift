import CoreData

extension Gadget {
  public var twinLabels: [String] { (twins ?? []).compactMap(\.label) }
}

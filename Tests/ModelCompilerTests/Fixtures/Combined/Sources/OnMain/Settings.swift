import CoreData
import Foundation
import Shared

/// A class of a module in which everything is the main actor's that does not say otherwise, as this one has to.
nonisolated final class Setting: NSManagedObject {
  @NSManaged var key: String
  @NSManaged var changed: Stamp?
  @NSManaged var shade: Shade?
  @NSManaged var group: Group?

  func validateKey(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
    value.pointee = (value.pointee as? String)?.lowercased() as NSString?
  }
}

/// A property of the main actor's.
extension Setting {
  @NSManaged var note: String?
}

nonisolated final class ShadeTransformer: NSSecureUnarchiveFromDataTransformer {
  override static var allowedTopLevelClasses: [AnyClass] { [Shade.self, NSString.self] }
}

public func runOnMain() throws {
  ValueTransformer.setValueTransformer(ShadeTransformer(), forName: NSValueTransformerName("ShadeTransformer"))
  let container = NSPersistentContainer(name: "Settings")
  container.persistentStoreDescriptions[0].type = NSInMemoryStoreType
  container.loadPersistentStores { _, error in
    if let error { fatalError("\(error)") }
  }
  let context = container.viewContext
  for (title, key) in [("z", "FIRST"), ("a", "SECOND")] {
    let group = Group(context: context)
    group.title = title
    let setting = Setting(context: context)
    setting.key = key
    setting.note = "noted"
    setting.changed = Date(timeIntervalSinceReferenceDate: 5)
    setting.shade = Shade(name: "of \(key.lowercased())")
    setting.group = group
  }
  try context.save()
  context.refreshAllObjects()
  let request: NSFetchRequest<Setting> = NSFetchRequest(entityName: "Setting")
  request.sortDescriptors = [NSSortDescriptor(keyPath: \Setting.group?.title, ascending: true)]
  for setting in try context.fetch(request) {
    print("on main:", setting.key, setting.shade?.name ?? "-", setting.note ?? "-", setting.group?.title ?? "-")
  }
}

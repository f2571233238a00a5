public import Foundation
internal import Schema

private func unbuilt() -> Never { ProgrammerError.stop("not built yet") }

extension NSManagedObjectContext {
  func observeSiblings() {}
  public final func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T] { unbuilt() }
  public final func count<T>(for request: NSFetchRequest<T>) throws -> Int { unbuilt() }
  public final func mergeChanges(fromContextDidSave notification: Notification) { unbuilt() }
  public class func mergeChanges(
    fromRemoteContextSave changes: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
  ) { unbuilt() }
}

extension NSManagedObject {
  func restored(_ data: Data, _ property: Int) -> Any? { unbuilt() }
  func transformed(_ value: Any, _ property: Int) -> Data { unbuilt() }
  func fetchedValue(_ property: Int) -> Any? { unbuilt() }
  func checkValue(_ value: Any?, forKey key: String) throws {}
  func validateRules() throws {}
  func validateDeleteRules() throws {}
}

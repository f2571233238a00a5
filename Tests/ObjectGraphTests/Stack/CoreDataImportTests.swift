import CoreData
import Testing

@Suite("import CoreData")
struct CoreDataImportTests {
  @Test("A ported file needs no other import: Foundation, the graph, predicates and errors are there")
  func names() throws {
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
    request.predicate = NSPredicate(format: "name == %@", "Ada")
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    let copy = try #require(request.copy() as? NSFetchRequest<any NSFetchRequestResult>)
    #expect(copy.entityName == "Person" && copy.predicate != nil && copy.sortDescriptors?.count == 1)
    #expect(CocoaError.Code.managedObjectMerge.rawValue == NSManagedObjectMergeError)
    let model = NSManagedObjectModel()
    let entity = NSEntityDescription()
    entity.name = "Person"
    model.entities = [entity]
    let container = NSPersistentContainer(name: "People", managedObjectModel: model)
    #expect(container.viewContext.mergePolicy as? NSMergePolicy === NSErrorMergePolicy)
    #expect(URL(fileURLWithPath: "/a").lastPathComponent == "a")
  }
}

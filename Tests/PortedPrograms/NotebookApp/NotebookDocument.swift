import CoreData

/// A document with a store of its own and its own undo manager, as a document-based app has for each window.
final class NotebookDocument: NSObject {
    let fileURL: URL
    let coordinator: NSPersistentStoreCoordinator
    let managedObjectContext: NSManagedObjectContext

    init(fileURL: URL, model: NSManagedObjectModel) throws {
        self.fileURL = fileURL
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        managedObjectContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        super.init()
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: fileURL,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            ])
        managedObjectContext.persistentStoreCoordinator = coordinator
        managedObjectContext.undoManager = UndoManager()
        managedObjectContext.undoManager?.groupsByEvent = false
    }

    var undoManager: UndoManager { managedObjectContext.undoManager! }

    var isDocumentEdited: Bool { managedObjectContext.hasChanges }

    /// One command of the user: one step to undo, with a name.
    func command<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
        undoManager.beginUndoGrouping()
        defer {
            managedObjectContext.processPendingChanges()
            undoManager.setActionName(name)
            undoManager.endUndoGrouping()
        }
        return try body()
    }

    func addPage(heading: String, lines: [String]) -> Page {
        command("Add Page") {
            let page = Page(context: managedObjectContext)
            page.heading = heading
            for text in lines {
                let line = Line(context: managedObjectContext)
                line.text = text
                line.page = page
            }
            return page
        }
    }

    func moveLine(of page: Page, from source: Int, to destination: Int) {
        command("Move Line") {
            let lines = page.mutableOrderedSetValue(forKey: #"lines"#)
            lines.moveObjects(at: IndexSet(integer: source), to: destination)
        }
    }

    func delete(_ object: NSManagedObject) {
        command("Delete \(object.entity.name ?? "")") { managedObjectContext.delete(object) }
    }

    func pages() throws -> [Page] {
        let request = NSFetchRequest<Page>(entityName: "Page")
        request.sortDescriptors = [NSSortDescriptor(key: "heading", ascending: true)]
        return try managedObjectContext.fetch(request)
    }

    func save() throws {
        if managedObjectContext.hasChanges { try managedObjectContext.save() }
    }

    func revert() {
        managedObjectContext.rollback()
    }

    func close() throws {
        managedObjectContext.reset()
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }
}

import CoreData

enum QuakeError: Error {
    case wrongDataFormat(error: Error)
    case batchInsertError
    case batchDeleteError
    case persistentHistoryChangeError
}

/// A class to fetch data from the remote server and save it to the Core Data store.
class QuakesProvider {
    static let shared = QuakesProvider()

    private var notificationToken: NSObjectProtocol?
    private(set) var remoteChanges = 0

    /// A persistent history token used for fetching transactions from the store.
    private var lastToken: NSPersistentHistoryToken? {
        didSet {
            guard let token = lastToken,
                let data = try? NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
            else { return }
            try? data.write(to: tokenFile)
        }
    }

    private lazy var tokenFile: URL = {
        let url = NSPersistentContainer.defaultDirectoryURL().appendingPathComponent("Quakes", isDirectory: true)
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true, attributes: nil)
        return url.appendingPathComponent("token.data", isDirectory: false)
    }()

    private init() {
        if let data = try? Data(contentsOf: tokenFile) {
            lastToken = try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data)
        }
    }

    /// A persistent container to set up the Core Data stack.
    lazy var container: NSPersistentContainer = {
        let container = NSPersistentContainer(name: "Quakes")
        guard let description = container.persistentStoreDescriptions.first else {
            fatalError("Failed to retrieve a persistent store description.")
        }
        description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
        description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        container.loadPersistentStores { storeDescription, error in
            if let error = error as NSError? {
                fatalError("Unresolved error \(error), \(error.userInfo)")
            }
        }
        // This sample refreshes UI by consuming store changes via persistent history tracking.
        container.viewContext.automaticallyMergesChangesFromParent = false
        container.viewContext.name = "viewContext"
        container.viewContext.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        container.viewContext.undoManager = nil
        container.viewContext.shouldDeleteInaccessibleFaults = true
        notificationToken = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: container.persistentStoreCoordinator, queue: nil
        ) { note in
            self.remoteChanges += 1
        }
        return container
    }()

    /// Creates and configures a private queue context.
    private func newTaskContext() -> NSManagedObjectContext {
        let taskContext = container.newBackgroundContext()
        taskContext.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        taskContext.undoManager = nil
        return taskContext
    }

    func fetchQuakes(from data: Data) async throws {
        do {
            let geoJSON = try JSONDecoder().decode(GeoJSON.self, from: data)
            try await importQuakes(from: geoJSON.quakePropertiesList)
        } catch let error as QuakeError {
            throw error
        } catch {
            throw QuakeError.wrongDataFormat(error: error)
        }
    }

    private func importQuakes(from propertiesList: [QuakeProperties]) async throws {
        guard !propertiesList.isEmpty else { return }
        let taskContext = newTaskContext()
        taskContext.name = "importContext"
        taskContext.transactionAuthor = "importQuakes"
        try await taskContext.perform {
            let batchInsertRequest = self.newBatchInsertRequest(with: propertiesList)
            if let fetchResult = try? taskContext.execute(batchInsertRequest),
                let batchInsertResult = fetchResult as? NSBatchInsertResult,
                let success = batchInsertResult.result as? Bool, success
            {
                return
            }
            throw QuakeError.batchInsertError
        }
    }

    private func newBatchInsertRequest(with propertyList: [QuakeProperties]) -> NSBatchInsertRequest {
        var index = 0
        let total = propertyList.count
        // Provide one dictionary at a time when the closure is called.
        let batchInsertRequest = NSBatchInsertRequest(
            entity: Quake.entity(),
            dictionaryHandler: { dictionary in
                guard index < total else { return true }
                dictionary.addEntries(from: propertyList[index].dictionaryValue)
                index += 1
                return false
            })
        return batchInsertRequest
    }

    func star(atLeast magnitude: Float) async throws -> Int {
        let taskContext = newTaskContext()
        taskContext.transactionAuthor = "star"
        return try await taskContext.perform {
            let request = NSBatchUpdateRequest(entityName: "Quake")
            request.predicate = NSPredicate(format: "magnitude >= %f", magnitude)
            request.propertiesToUpdate = ["isStarred": true, "place": NSExpression(format: "uppercase:(place)")]
            request.resultType = .updatedObjectsCountResultType
            let result = try taskContext.execute(request) as? NSBatchUpdateResult
            return result?.result as? Int ?? -1
        }
    }

    /// Asynchronously deletes records in the Core Data store with the specified managed objects.
    func deleteQuakes(identifiedBy objectIDs: [NSManagedObjectID]) async throws {
        let taskContext = newTaskContext()
        taskContext.name = "deleteContext"
        taskContext.transactionAuthor = "deleteQuakes"
        try await taskContext.perform {
            let batchDeleteRequest = NSBatchDeleteRequest(objectIDs: objectIDs)
            guard let fetchResult = try? taskContext.execute(batchDeleteRequest),
                let batchDeleteResult = fetchResult as? NSBatchDeleteResult,
                let success = batchDeleteResult.result as? Bool, success
            else {
                throw QuakeError.batchDeleteError
            }
        }
    }

    func fetchPersistentHistory() async throws {
        let taskContext = newTaskContext()
        taskContext.name = "persistentHistoryContext"
        try await taskContext.perform {
            let changeRequest = NSPersistentHistoryChangeRequest.fetchHistory(after: self.lastToken)
            let historyResult = try taskContext.execute(changeRequest) as? NSPersistentHistoryResult
            guard let history = historyResult?.result as? [NSPersistentHistoryTransaction], !history.isEmpty else {
                throw QuakeError.persistentHistoryChangeError
            }
            self.mergePersistentHistoryChanges(from: history)
        }
    }

    private func mergePersistentHistoryChanges(from history: [NSPersistentHistoryTransaction]) {
        // Update view context with objectIDs from history change request.
        let viewContext = container.viewContext
        viewContext.perform {
            for transaction in history {
                let tombstones = transaction.changes?.compactMap { $0.tombstone?["code"] as? String } ?? []
                print("  \(transaction.author ?? "-"): \(transaction.changes?.count ?? 0) changes \(tombstones)")
                viewContext.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
                self.lastToken = transaction.token
            }
        }
    }
}

import CoreData

let provider = QuakesProvider.shared
let viewContext = provider.container.viewContext

func feed(_ rows: [(code: String, mag: Double?, place: String)]) -> Data {
    let features = rows.map { row -> [String: Any] in
        var properties: [String: Any] = ["code": row.code, "place": row.place, "time": 1_700_000_000_000]
        properties["mag"] = row.mag
        return ["properties": properties]
    }
    return try! JSONSerialization.data(withJSONObject: ["features": features])
}

func show(_ title: String) throws {
    let request = NSFetchRequest<Quake>(entityName: "Quake")
    request.sortDescriptors = [NSSortDescriptor(keyPath: \Quake.code, ascending: true)]
    let quakes = try viewContext.fetch(request)
    print("\(title): \(quakes.count)")
    for quake in quakes {
        print("  \(quake.code) \(quake.magnitude) \(quake.place)\(quake.isStarred ? " *" : "")")
    }
}

var isDone = false
Task {
    do {
        try await provider.fetchQuakes(
            from: feed([
                ("a", 1.5, "Near here"), ("b", 6.25, "Far away"), ("c", nil, "Nowhere"), ("d", 4.0, "At sea"),
            ]))
        try await provider.fetchPersistentHistory()
        try await viewContext.perform { try show("imported") }

        let starred = try await provider.star(atLeast: 4)
        print("starred: \(starred)")
        // The second feed updates what is known by its code and leaves the star alone.
        try await provider.fetchQuakes(from: feed([("b", 6.5, "Far away, revised"), ("e", 2.0, "Under the hill")]))
        try await viewContext.perform { try show("before history") }
        try await provider.fetchPersistentHistory()
        try await viewContext.perform { try show("after history") }

        let smallest: [NSManagedObjectID] = try await viewContext.perform {
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Quake")
            request.resultType = .managedObjectIDResultType
            request.predicate = NSPredicate(format: "magnitude < 3")
            return try viewContext.fetch(request)
        }
        try await provider.deleteQuakes(identifiedBy: smallest)
        try await provider.fetchPersistentHistory()
        try await viewContext.perform { try show("deleted") }
        do {
            try await provider.fetchPersistentHistory()
        } catch QuakeError.persistentHistoryChangeError {
            print("no more history")
        }
        do {
            try await provider.fetchQuakes(from: Data("[]".utf8))
        } catch QuakeError.wrongDataFormat {
            print("wrong data format")
        }
        print("remote changes: \(provider.remoteChanges > 0)")
    } catch {
        print("failed: \(error)")
    }
    DispatchQueue.main.async { isDone = true }
}
while !isDone {
    RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.01))
}

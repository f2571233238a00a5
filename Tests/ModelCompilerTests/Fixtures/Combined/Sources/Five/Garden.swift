import CoreData

/// Two models in one module, written for Swift 5: a container finds each by its name, and both merged hold all entities.
public class Tool: NSManagedObject {}

public func runFive() throws {
  let container = NSPersistentContainer(name: "Plants")
  container.persistentStoreDescriptions[0].type = NSInMemoryStoreType
  container.loadPersistentStores { _, error in
    if let error { fatalError("\(error)") }
  }
  let context = container.viewContext
  for number in 1...3 {
    let bed = Bed(context: context)
    bed.number = Int16(number)
    let plant = Plant(context: context)
    plant.name = number == 2 ? "ivy" : "fern"
    plant.bed = bed
  }
  try context.save()
  let request: NSFetchRequest<Plant> = Plant.fetchRequest()
  request.predicate = NSPredicate(format: "%K > 1", "bed.number")
  request.sortDescriptors = [NSSortDescriptor(keyPath: \Plant.bed!.number, ascending: false)]
  for plant in try context.fetch(request) {
    // Optional as Xcode's are, and usable without unwrapping.
    if let name = plant.name {
      print("five:", name, plant.name.count, plant.bed?.number ?? 0, plant.namesakes?.count ?? -1)
    }
  }
  let merged = NSManagedObjectModel.mergedModel(from: nil, fileID: "Five/Garden.swift")
  print(
    "five:", merged?.entitiesByName.keys.sorted() ?? [],
    NSPersistentContainer(name: "Tools").managedObjectModel.entities.count)
}

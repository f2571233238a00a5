internal import Foundation
internal import Model
internal import Schema
internal import StoreContract

extension NSManagedObjectContext {
  // MARK: entities

  /// The model that its coordinator has.
  final var modelInfo: ModelInfo {
    if let knownModel { return knownModel }
    guard let coordinator = settings.coordinator else {
      ProgrammerError.stop("The context '\(name ?? "")' has no coordinator: set persistentStoreCoordinator first.")
    }
    do {
      let info: ModelInfo = try ModelInfo.of(coordinator.managedObjectModel)
      knownModel = info
      return info
    } catch {
      ProgrammerError.stop("The coordinator's model can't be used: \(error)")
    }
  }

  final func entityInfo(of description: NSEntityDescription) -> EntityInfo {
    let model: ModelInfo = modelInfo
    if description.isFrozen {
      let index: Int = description.schemaIndex
      if index < model.entities.count, model.entities[index].description === description {
        return model.entities[index]
      }
    }
    // A description of an equal model, such as a copy or another container's.
    guard let name = description.name, let info = model.entitiesByName[name] else {
      ProgrammerError.stop(
        "The entity '\(description.name ?? "")' is not in the model of the context '\(self.name ?? "")'.")
    }
    return info
  }

  /// The one entity of the model whose objects are of a class.
  final func entityInfo(of objectClass: NSManagedObject.Type) -> EntityInfo {
    if let known = entityByClass[ObjectIdentifier(objectClass)] { return known }
    let found: [EntityInfo] = modelInfo.entities(of: objectClass)
    guard let info = found.first, found.count == 1 else {
      let names: String = found.map { $0.entity.name }.joined(separator: ", ")
      ProgrammerError.stop(
        found.isEmpty
          ? "No entity of the model has the class '\(String(reflecting: objectClass))': name it, with its module, in the model."
          : "Several entities have the class '\(String(reflecting: objectClass))' (\(names)): use init(entity:insertInto:)."
      )
    }
    entityByClass[ObjectIdentifier(objectClass)] = info
    return info
  }

  // MARK: stores

  /// The store as this context sees it.
  final func place(for store: NSPersistentStore) -> StorePlaceInContext? {
    let store: NSPersistentStore = store.current
    if let known = places.first(where: { $0.store === store }) { return known }
    guard let backend = store.backend else { return nil }
    let place = StorePlaceInContext(store: store, entityNumbers: backend.entityNumbers, entities: modelInfo.entities)
    places.append(place)
    return place
  }

  /// The place of all saved objects, while there is one store.
  final var onlyPlace: StorePlaceInContext? {
    if places.count == 1 { return places[0] }
    guard places.isEmpty, let store = settings.coordinator?.persistentStores.first else { return nil }
    return place(for: store)
  }

  // MARK: finding objects

  /// The object of a key, made as a fault if the context does not have it.
  final func object(for key: ObjectKey, in place: StorePlaceInContext) -> NSManagedObject? {
    if let known = place.object(for: key) { return known }
    guard let info = place.info(of: key) else { return nil }
    arrival = Arrival(info: info, key: key, place: place)
    let object: NSManagedObject = info.objectClass.init(entity: info.description, insertInto: self)
    arrival = nil
    place.add(object)
    if retainsRegisteredObjects { retained[ObjectIdentifier(object)] = object }
    return object
  }

  /// The object of an id if the context has it. Never reads from a store.
  public final func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
    checkQueue()
    let objectID: NSManagedObjectID = settled(objectID)
    if objectID.isTemporaryID { return registry.temporaryObject(objectID.key) }
    guard let store = objectID.persistentStore, let place = place(for: store) else { return nil }
    return place.object(for: objectID.key)
  }

  /// The object of an id: a fault if the context does not have it. Reads nothing, and does not find out whether there
  /// is such an object.
  public final func object(with objectID: NSManagedObjectID) -> NSManagedObject {
    checkQueue()
    if let known = registeredObject(for: objectID) { return known }
    defer { tellStoresOfObjects() }
    let objectID: NSManagedObjectID = settled(objectID)
    guard let store = objectID.persistentStore, let place = place(for: store),
      let object = object(for: objectID.key, in: place)
    else {
      ProgrammerError.stop(
        "There is no object for \(objectID) in the context '\(name ?? "")': the id is temporary, or its store is not open here."
      )
    }
    return object
  }

  /// The object of an id, with its values.
  ///
  /// - Throws: 133000 when there is no such object; the store's error when it can't be read.
  public final func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
    checkQueue()
    if let known = registeredObject(for: objectID), known.flags.contains(.realised),
      !known.flags.contains(.inaccessible), !known.isDeleted
    {
      return known
    }
    defer { tellStoresOfObjects() }
    let objectID: NSManagedObjectID = settled(objectID)
    guard let store = objectID.persistentStore, let place = place(for: store), store.backend != nil else {
      throw missingObject(objectID)
    }
    do {
      guard let row = try rowBelow(objectID.key, in: place) else { throw missingObject(objectID) }
      guard let object = object(for: objectID.key, in: place) else { throw missingObject(objectID) }
      if !object.flags.contains(.realised) { fulfil(object, with: row) }
      return object
    } catch let error as StoreError {
      throw GraphError.wrapping(error, during: .fetch, store: store.storeName)
    }
  }

  private func missingObject(_ objectID: NSManagedObjectID) -> any Error {
    GraphError.make(
      NSManagedObjectReferentialIntegrityError,
      "There is no object \(objectID): it was deleted, was never saved, or its store is not open here.")
  }

  final func allObjects() -> [NSManagedObject] {
    var all: [NSManagedObject] = places.flatMap { $0.objects() }
    registry.forEachTemporary { all.append($0) }
    return all
  }

  /// The objects that the context has.
  public final var registeredObjects: Set<NSManagedObject> {
    checkQueue()
    return Set(allObjects())
  }

  /// New objects, not saved yet.
  public final var insertedObjects: Set<NSManagedObject> {
    checkQueue()
    return Set(pending.lazy.filter { $0.isInserted && !$0.isDeleted })
  }

  /// Saved objects that were changed.
  public final var updatedObjects: Set<NSManagedObject> {
    checkQueue()
    return Set(pending.lazy.filter { $0.isUpdated })
  }

  /// Objects that the next save deletes.
  public final var deletedObjects: Set<NSManagedObject> {
    checkQueue()
    return Set(pending.lazy.filter { $0.isDeleted && !$0.isInserted })
  }

  /// Whether there is anything to save.
  public final var hasChanges: Bool {
    checkQueue()
    return pending.contains { $0.hasPendingChanges }
  }

  // MARK: inserting

  /// Takes a new object in, with its first values.
  final func insertNew(_ object: NSManagedObject) {
    checkQueue()
    object.registry = registry
    object.flags.insert([.inserted, .insertedInEvent])
    registry.add(object)
    note(object)
    object.awakeFromInsert()
  }

  /// Takes in an object that was made without a context.
  public final func insert(_ object: NSManagedObject) {
    if object.registry === registry { return }
    guard object.registry == nil, object.key.isTemporary else {
      ProgrammerError.stop(
        "\(object.info.entity.name) \(object.objectID) can't be inserted: it belongs to another context already.")
    }
    let held: [NSManagedObject] = object.unregisteredNeighbours
    if let state = object.state { state.objects = state.objects.filter { !($0.value is NSManagedObject) } }
    insertNew(object)
    for neighbour in held where neighbour.registry == nil { insert(neighbour) }
  }

  /// Says which store a new object will be saved to. Without that it goes to the first one of the coordinator's that
  /// holds its entity and can be written.
  ///
  /// Stops the program for an object that is saved, or has a permanent id, and for a store that is not open here or
  /// does not hold the object's entity.
  public final func assign(_ object: Any, to store: NSPersistentStore) {
    checkQueue()
    guard let object = object as? NSManagedObject, object.registry === registry else {
      ProgrammerError.stop("Only an object of the context can be assigned to a store: \(object) is not.")
    }
    guard object.place == nil, let place = place(for: store) else {
      ProgrammerError.stop("\(object.objectID) can't be assigned to \(store): it is saved, or the store is not open.")
    }
    guard object.info.index < store.holdsEntity.count, store.holdsEntity[object.info.index] else {
      ProgrammerError.stop(
        "\(object.objectID) can't be assigned to \(store.storeName): its configuration '\(store.configurationName)' does not hold the entity '\(object.info.entity.name)'."
      )
    }
    object.ensureState().promisedPlace = place
    object.ensureState().promisedKey = nil
  }
}

public import CoreData
public import Foundation

/// A base class that belongs to no entity: its property stands at another place in each entity below it.
public class Identified: NSManagedObject {
  @NSManaged public var identifier: String
}

public class Person: Identified {
  @NSManaged public var name: String?
  @NSManaged public var entries: Set<Entry>
}

public class Entry: Identified {
  @NSManaged public var body: String
  @NSManaged public var count: Int64
  @NSManaged public var stamp: Date
  @NSManaged public var weight: Float
  @NSManaged public var person: Person?
  @NSManaged public var steps: NSOrderedSet?
  @NSManaged private var moodRaw: Int16
  @NSManaged fileprivate var primitiveBody: String?

  public enum Mood: Int16 { case calm, bright }
  public var mood: Mood {
    get { Mood(rawValue: moodRaw) ?? .calm }
    set { moodRaw = newValue.rawValue }
  }

  public override func awakeFromInsert() {
    super.awakeFromInsert()
    primitiveBody = "blank"
  }
}

extension Entry {
  @NSManaged public func addToSteps(_ value: Step)
  @NSManaged public func insertIntoSteps(_ value: Step, at idx: Int)
  @NSManaged public func removeFromSteps(at idx: Int)
}

extension Person {
  @NSManaged public func addToEntries(_ value: Entry)
  @NSManaged public func removeFromEntries(_ values: NSSet)

  @nonobjc public class func fetchRequest() -> NSFetchRequest<Person> {
    NSFetchRequest<Person>(entityName: "Person")
  }
}

public enum Desk {
  public final class Stamp: NSManagedObject {
    @NSManaged public var colour: String?
  }
}

public class Step: NSManagedObject {}
extension Step {
  @NSManaged public var text: String?
  @NSManaged public var entry: Entry?
}

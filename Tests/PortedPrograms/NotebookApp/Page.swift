import CoreData

public class Page: NSManagedObject {
    @NSManaged public var heading: String
    @NSManaged public var created: Date
    @NSManaged public var lines: NSOrderedSet?

    public override func awakeFromInsert() {
        super.awakeFromInsert()
        setPrimitiveValue(Date(timeIntervalSinceReferenceDate: 0), forKey: "created")
    }

    var orderedLines: [Line] {
        return lines?.array as? [Line] ?? []
    }
}

public class Line: NSManagedObject {
    @NSManaged public var text: String?
    @NSManaged public var isDone: Bool
    @NSManaged public var page: Page?
}

public import CoreData

public final class BlogPost: NSManagedObject {
  public private(set) var awakenings = 0

  public override func awakeFromInsert() {
    super.awakeFromInsert()
    awakenings += 1
    title = "untitled"
  }
}

public class Author: NSManagedObject {}

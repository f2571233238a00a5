import CoreData

let stack = CoreDataStack.shared

func runUntil(_ done: () -> Bool) {
    while !done() {
        RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.01))
    }
}

// 1. A first import in the background; the view context merges it by itself.
let list = PostListController(context: stack.viewContext)
var imported = false
stack.performBackgroundTask { context in
    for name in ["Ann", "Bob"] {
        let author = Author(context: context)
        author.name = name
        for number in 1...2 {
            let post = Post(context: context)
            post.title = "\(name)'s post \(number)"
            post.isDraft = number == 2 && name == "Bob"
            post.author = author
        }
    }
    do {
        try context.save()
    } catch {
        print("Import failed: \(error)")
    }
    DispatchQueue.main.async { imported = true }
}
runUntil { imported }
list.printTable()

// 2. Editing in a child context: discarded first, then saved.
let request: NSFetchRequest<Post> = Post.fetchRequest()
request.predicate = NSPredicate(format: "isDraft == YES")
request.fetchLimit = 1
guard let draft = try stack.viewContext.fetch(request).first else { fatalError("no draft") }
do {
    let editing = stack.newEditingContext()
    let post = editing.object(with: draft.objectID) as! Post
    post.title = ""
    do {
        try editing.save()
    } catch let error as CocoaError where error.code == .validationStringTooShort {
        let object = error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject
        print("refused: \(error.userInfo[NSValidationKeyErrorKey] ?? "") of \(object?.entity.name ?? "")")
    }
}
do {
    let editing = stack.newEditingContext()
    let post = editing.object(with: draft.objectID) as! Post
    post.title = "Bob's second post"
    post.isDraft = false
    post.published = Date(timeIntervalSinceReferenceDate: 0)
    try editing.save()
    print("parent has changes: \(stack.viewContext.hasChanges)")
    stack.saveContext()
}
list.printTable()

// 3. Two background contexts write the same post: the last one wins where they overlap.
let postID = draft.objectID
var finished = 0
let first = stack.persistentContainer.newBackgroundContext()
let second = stack.persistentContainer.newBackgroundContext()
second.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
first.performAndWait { (first.object(with: postID) as! Post).likes += 1 }
second.performAndWait { (second.object(with: postID) as! Post).likes += 10 }
for context in [first, second] {
    context.performAndWait {
        try? context.save()
        finished += 1
    }
}
runUntil { draft.likes == 10 }
print("likes: \(draft.likes), saves: \(finished)")

// 4. A cascade, seen by the list.
list.printTable()
let authors = try stack.viewContext.fetch(Author.fetchRequest() as NSFetchRequest<Author>)
if let ann = authors.first(where: { $0.name == "Ann" }) {
    stack.viewContext.delete(ann)
}
stack.saveContext()
list.printTable()
let left = try stack.viewContext.count(for: Post.fetchRequest() as NSFetchRequest<Post>)
print("posts left: \(left)")

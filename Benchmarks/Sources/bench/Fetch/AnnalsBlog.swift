import Annals
import Foundation

/// Posts with tags and attachments in a store, reached through a context.
final class AnnalsBlog {
  private let container: NSPersistentContainer
  /// What a program keeps of objects that it wants to find again, as SQLite's caller keeps rowids.
  private(set) var ids: [NSManagedObjectID] = []
  private var context: NSManagedObjectContext

  init(folder: URL) throws {
    container = NSPersistentContainer(name: "Blog")
    container.persistentStoreDescriptions = [
      NSPersistentStoreDescription(url: folder.appendingPathComponent("Blog.annals"))
    ]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    context = container.newBackgroundContext()
  }

  /// Begins with nothing registered, so that every round makes its objects.
  func forget() { context = container.newBackgroundContext() }

  func reading<Result>(_ body: (NSManagedObjectContext) throws -> Result) rethrows -> Result {
    try context.performAndWait { try body(context) }
  }

  /// Inserts what batches bring, each saved on its own.
  func fill(_ blog: BlogData) throws {
    for numbers in blog.batches {
      let context = container.newBackgroundContext()
      ids += try context.performAndWait {
        let tags = try self.tags(blog, context)
        let posts = numbers.map { number in
          let data = blog.post(number)
          let post = BlogPost(context: context)
          (post.number, post.title, post.body, post.views) = (data.id, data.title, data.body, data.views)
          (post.score, post.mainTag, post.author) = (data.score, data.tag, blog.author(number))
          (post.language, post.isDraft) = (blog.language(number), number % 10 == 0)
          post.date = Date(timeIntervalSinceReferenceDate: data.date)
          post.tags = NSSet(array: blog.tags(number).map { tags[$0] })
          for (name, size) in blog.attachments(number) {
            let attachment = Attachment(context: context)
            (attachment.name, attachment.sizeBytes, attachment.post) = (name, size, post)
          }
          return post
        }
        try context.save()
        return posts.map(\.objectID)
      }
    }
  }

  private func tags(_ blog: BlogData, _ context: NSManagedObjectContext) throws -> [BlogTag] {
    let request = NSFetchRequest<BlogTag>(entityName: "BlogTag")
    request.sortDescriptors = [NSSortDescriptor(keyPath: \BlogTag.name, ascending: true)]
    let known: [BlogTag] = try context.fetch(request)
    if !known.isEmpty { return known }
    return blog.tagNames.map { name in
      let tag = BlogTag(context: context)
      tag.name = name
      return tag
    }
  }

  static func request(_ format: String? = nil, _ arguments: any CVarArg...) -> NSFetchRequest<BlogPost> {
    let request = NSFetchRequest<BlogPost>(entityName: "BlogPost")
    if let format { request.predicate = NSPredicate(format: format, argumentArray: arguments) }
    return request
  }
}

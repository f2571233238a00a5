import Category
import CoreData
import Five
import Foundation
import Generated
import HandWritten
import Kit
import OnMain

/// A container in memory for a model that another module was built with.
func container(_ name: String, fileID: String) -> NSPersistentContainer {
  configured(NSPersistentContainer(name: name, fileID: fileID))
}

func configured(_ container: NSPersistentContainer) -> NSPersistentContainer {
  let description = NSPersistentStoreDescription()
  description.type = NSInMemoryStoreType
  container.persistentStoreDescriptions = [description]
  container.loadPersistentStores { _, error in
    if let error { fatalError("\(container.name): \(error)") }
  }
  return container
}

func generated() throws {
  let context = container("Library", fileID: "Generated/Library.swift").viewContext
  let shelf = Shelf(context: context)
  shelf.place = "the hall"
  let book = Book(context: context)
  book.name = "Moby-Dick"
  book.pages = 635
  book.pages += 5
  book.rating = 4.5
  book.default = "kept"
  book.größe = 1 << 40
  book.link = URL(string: "https://example.org/whale")
  book.cover = Data([1, 2, 3])
  book.price = NSDecimalNumber(string: "9.95")
  book.shelf = shelf
  for title in ["Loomings", "The Carpet-Bag", "The Spouter-Inn"] {
    let chapter = Chapter(context: context)
    chapter.title = title
    book.addToChapters(chapter)
  }
  try context.save()
  context.reset()

  let request: NSFetchRequest<Book> = Book.fetchRequest()
  request.sortDescriptors = [
    NSSortDescriptor(keyPath: \Book.shelf?.place, ascending: false),
    NSSortDescriptor(keyPath: \Book.name, ascending: true),
  ]
  for found in try context.fetch(request) {
    print("generated:", found.summary)
    print("generated:", found.rating ?? 0, found.default ?? "-", found.größe, found.id, found.lent)
    print("generated:", found.link?.path ?? "-", found.cover?.count ?? 0, found.price ?? 0)
    let titles: [String] = (found.chapters?.array as? [Chapter] ?? []).compactMap(\.title)
    print("generated:", titles.joined(separator: ", "))
    if let shelf = found.shelf {
      // Reading `place` makes the fault an object; a primitive value alone would not.
      print("generated:", shelf.items?.count ?? 0, shelf.place ?? "-", shelf.primitivePlace ?? "-")
    }
  }
}

func category() throws {
  let context = container("Blog", fileID: "Category/Blog.swift").viewContext
  let author = Author(context: context)
  author.name = "Ann"
  for number in 1...2 {
    let post = BlogPost(context: context)
    precondition(post.awakenings == 1)
    post.reads = Int64(number)
    author.addToPosts(post)
  }
  try context.save()
  context.reset()

  let request: NSFetchRequest<BlogPost> = BlogPost.fetchRequest()
  request.sortDescriptors = [NSSortDescriptor(key: "reads", ascending: false)]
  for post in try context.fetch(request) {
    print("category:", post.title ?? "-", post.reads, post.author?.name ?? "-", post.author?.posts?.count ?? 0)
  }
}

func handWritten() throws {
  // The plugin tells this module of the models in those that it depends on.
  let context = configured(NSPersistentContainer(name: "Journal")).viewContext
  let stamp = Desk.Stamp(context: context)
  stamp.colour = "red"
  let person = Person(context: context)
  person.name = "Bo"
  person.identifier = "p1"
  for number in 1...3 {
    let entry = Entry(context: context)
    entry.identifier = "e\(number)"
    entry.stamp = Date(timeIntervalSinceReferenceDate: Double(number))
    entry.count += Int64(number)
    entry.weight = 0.5
    entry.mood = .bright
    person.addToEntries(entry)
    for text in ["b", "c"] {
      let step = Step(context: context)
      step.text = text
      entry.addToSteps(step)
    }
    let first = Step(context: context)
    first.text = "a"
    entry.insertIntoSteps(first, at: 0)
    entry.removeFromSteps(at: 1)
  }
  try context.save()
  context.reset()

  let stamps = NSFetchRequest<Desk.Stamp>(entityName: "Stamp")
  stamps.sortDescriptors = [NSSortDescriptor(keyPath: \Desk.Stamp.colour, ascending: true)]
  print("hand-written:", try context.fetch(stamps).compactMap(\.colour))
  let request: NSFetchRequest<Person> = Person.fetchRequest()
  for found in try context.fetch(request) {
    print("hand-written:", found.identifier, found.name ?? "-", found.entries.count)
    for entry in found.entries.sorted(by: { $0.stamp < $1.stamp }) {
      let steps: [String] = (entry.steps?.array as? [Step] ?? []).compactMap(\.text)
      print("hand-written:", entry.identifier, entry.body, entry.count, entry.weight, entry.mood, steps)
    }
  }
}

/// A model and classes of another package.
func ofAnotherPackage() throws {
  let context = configured(NSPersistentContainer(name: "Kit")).viewContext
  for label in ["a", "a", "b"] { Gadget(context: context).label = label }
  try context.save()
  let request: NSFetchRequest<Gadget> = Gadget.fetchRequest()
  request.sortDescriptors = [NSSortDescriptor(keyPath: \Gadget.label, ascending: true)]
  print("kit:", try context.fetch(request).map(\.twinLabels))
}

try generated()
try category()
try handWritten()
try runOnMain()
try runFive()
try ofAnotherPackage()

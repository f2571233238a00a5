import Annals
import Foundation

let container = NSPersistentContainer(name: "Notes")
let folder = URL(fileURLWithPath: CommandLine.arguments.dropFirst().first ?? "Notes.annals")
container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: folder)]
container.loadPersistentStores { _, error in
  if let error { fatalError("\(error)") }
}
let context = container.viewContext

let swift = Topic(context: context)
swift.name = "swift"
for text in ["Objects that persist", "A log that anyone can read", "Groceries"] {
  let note = Note(context: context)
  note.text = text
  note.created = Date()
  if text != "Groceries" { note.addToTopics(swift) }
}
try context.save()

let request: NSFetchRequest<Note> = Note.fetchRequest()
request.predicate = NSPredicate(format: "ANY topics.name == %@ AND text CONTAINS[cd] %@", "swift", "LOG")
request.sortDescriptors = [NSSortDescriptor(keyPath: \Note.created, ascending: false)]
for note in try context.fetch(request) {
  let topics = (note.topics as? Set<Topic> ?? []).compactMap(\.name)
  print(note.text ?? "", topics)
}

import CoreData

let folder = NSPersistentContainer.defaultDirectoryURL()
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
let model = NSPersistentContainer(name: "Notebook").managedObjectModel
let url = folder.appendingPathComponent("Mine.notebook")
let document = try NotebookDocument(fileURL: url, model: model)

func show(_ title: String, _ document: NotebookDocument) throws {
    print("\(title)\(document.isDocumentEdited ? " (edited)" : "")")
    for page in try document.pages() {
        let lines = page.orderedLines.map { ($0.isDone ? "[x] " : "[ ] ") + ($0.text ?? "") }
        print("  \(page.heading): \(lines.joined(separator: ", "))")
    }
    let manager = document.undoManager
    print("  \(manager.canUndo ? manager.undoMenuItemTitle : "-") | \(manager.canRedo ? manager.redoMenuItemTitle : "-")")
}

let shopping = document.addPage(heading: "Shopping", lines: ["Milk", "Bread", "Tea"])
try document.save()
try show("saved", document)

document.command("Check Off") { shopping.orderedLines[0].isDone = true }
document.moveLine(of: shopping, from: 0, to: 2)
try show("checked and moved", document)

document.delete(shopping.orderedLines[0])
document.delete(shopping)
try show("all deleted", document)

document.undoManager.undo()
document.managedObjectContext.undo()
try show("two undone", document)
document.managedObjectContext.redo()
try show("one redone", document)
try document.save()
try show("saved again", document)

while document.undoManager.canUndo { document.undoManager.undo() }
try show("everything undone", document)
document.undoManager.redo()
try document.save()
try show("first step again", document)

let trip = document.addPage(heading: "Trip", lines: ["Tickets"])
shopping.heading = "Groceries"
document.revert()
try show("reverted", document)
print("gone: \(trip.managedObjectContext == nil)")

try document.close()
let reopened = try NotebookDocument(fileURL: url, model: model)
try show("reopened", reopened)

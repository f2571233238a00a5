import CoreData
import Testing

/// A value whose changes are undone.
private final class Counter {
  let manager: UndoManager
  var value = 0
  init(_ manager: UndoManager) { self.manager = manager }

  func set(_ new: Int) {
    let old = value
    manager.registerUndo(withTarget: self) { $0.set(old) }
    value = new
  }
}

@Suite("UndoManager, A14")
struct UndoManagerTests {
  private func stepwise() -> UndoManager {
    let manager = UndoManager()
    manager.groupsByEvent = false
    return manager
  }

  private func step(_ manager: UndoManager, _ body: () -> Void) {
    manager.beginUndoGrouping()
    body()
    manager.endUndoGrouping()
  }

  @Test("Steps are taken back and done again, last one first; a new one ends the redo")
  func undoAndRedo() {
    let manager = stepwise()
    let counter = Counter(manager)
    for value in 1...3 { step(manager) { counter.set(value) } }
    #expect(manager.canUndo && !manager.canRedo)
    manager.undo()
    manager.undo()
    #expect(counter.value == 1 && manager.canRedo)
    manager.redo()
    #expect(counter.value == 2)
    step(manager) { counter.set(9) }
    #expect(!manager.canRedo)
    manager.undo()
    manager.undo()
    #expect(counter.value == 1)
    manager.undo()
    manager.undo()
    #expect(counter.value == 0 && !manager.canUndo)
  }

  @Test("A group that ends inside another belongs to its step")
  func nesting() {
    let manager = stepwise()
    let counter = Counter(manager)
    manager.beginUndoGrouping()
    counter.set(1)
    manager.beginUndoGrouping()
    #expect(manager.groupingLevel == 2)
    counter.set(2)
    manager.endUndoGrouping()
    manager.endUndoGrouping()
    #expect(manager.groupingLevel == 0)
    manager.undo()
    #expect(counter.value == 0)
    manager.redo()
    #expect(counter.value == 2)
  }

  @Test("What one event registers is one step, which undo ends by itself")
  func events() {
    let manager = UndoManager()
    let counter = Counter(manager)
    counter.set(1)
    counter.set(2)
    #expect(manager.groupingLevel == 1 && manager.canUndo)
    manager.undo()
    #expect(counter.value == 0 && manager.groupingLevel == 0)
  }

  @Test("Only so many levels are kept")
  func levels() {
    let manager = stepwise()
    manager.levelsOfUndo = 2
    let counter = Counter(manager)
    for value in 1...5 { step(manager) { counter.set(value) } }
    for _ in 1...5 { manager.undo() }
    #expect(counter.value == 3)
  }

  @Test("Nothing is recorded while registration is disabled, however often")
  func disabling() {
    let manager = stepwise()
    let counter = Counter(manager)
    step(manager) {
      manager.disableUndoRegistration()
      manager.disableUndoRegistration()
      manager.enableUndoRegistration()
      #expect(!manager.isUndoRegistrationEnabled)
      counter.set(1)
      manager.enableUndoRegistration()
    }
    #expect(!manager.canUndo && manager.isUndoRegistrationEnabled)
  }

  @Test("Action names follow their step from undo to redo and are part of the menus' titles")
  func names() {
    let manager = stepwise()
    let counter = Counter(manager)
    step(manager) {
      counter.set(1)
      manager.setActionName("Count")
      manager.setActionIsDiscardable(true)
    }
    #expect(manager.undoActionName == "Count" && manager.undoMenuItemTitle == "Undo Count")
    #expect(manager.undoActionIsDiscardable && manager.redoMenuItemTitle == "Redo")
    manager.undo()
    #expect(manager.undoActionName == "" && manager.redoActionName == "Count" && manager.redoActionIsDiscardable)
  }

  @Test("Actions of a target can be removed, and those of one that is gone do nothing")
  func targets() {
    let manager = stepwise()
    let (kept, dropped) = (Counter(manager), Counter(manager))
    step(manager) { kept.set(1) }
    step(manager) { dropped.set(1) }
    manager.removeAllActions(withTarget: dropped)
    manager.undo()
    #expect(kept.value == 0 && dropped.value == 1)
    var gone: Counter? = Counter(manager)
    step(manager) { gone?.set(1) }
    weak let witness = gone
    gone = nil
    #expect(witness == nil)
    manager.undo()
    manager.removeAllActions()
    #expect(!manager.canUndo && !manager.canRedo)
  }

  @Test("Notifications come in their order")
  func notifications() {
    let manager = stepwise()
    let counter = Counter(manager)
    nonisolated(unsafe) var heard: [String] = []
    let names: [Notification.Name: String] = [
      .NSUndoManagerDidOpenUndoGroup: "open", .NSUndoManagerWillCloseUndoGroup: "closing",
      .NSUndoManagerDidCloseUndoGroup: "closed", .NSUndoManagerWillUndoChange: "undoing",
      .NSUndoManagerDidUndoChange: "undone", .NSUndoManagerWillRedoChange: "redoing",
      .NSUndoManagerDidRedoChange: "redone",
    ]
    let tokens = names.map { name, text in
      NotificationCenter.default.addObserver(forName: name, object: manager, queue: nil) { _ in heard.append(text) }
    }
    defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
    step(manager) { counter.set(1) }
    #expect(heard == ["open", "closing", "closed"])
    heard = []
    manager.undo()
    #expect(heard == ["undoing", "open", "closing", "closed", "undone"])
    heard = []
    manager.redo()
    #expect(heard.first == "redoing" && heard.last == "redone")
  }
}

internal import Foundation
internal import Schema

extension NSManagedObjectContext {
  /// Remembers the context's changes, so that they can be taken back: `nil`, the default, for none. A change of it
  /// forgets nothing that the manager has.
  ///
  /// What an event changes (see `processPendingChanges`) is registered at its end, unless registration is disabled
  /// then. All events of one `perform` block, with fetches in between, are one step. To-many relationships are read
  /// before they are changed while there is a manager.
  public final var undoManager: UndoManager? {
    get { undoSupport?.manager }
    set {
      guard newValue !== undoSupport?.manager else { return }
      undoSupport?.leave(self)
      undoSupport = newValue.map { UndoSupport(manager: $0) }
      registry.recordsUndo = newValue != nil
      undoSupport?.join(self)
    }
  }

  /// Takes the last step of the undo manager back. Without one, does nothing.
  public final func undo() {
    processPendingChanges()
    undoManager?.undo()
  }

  /// Does the last undone step of the undo manager again. Without one, does nothing.
  public final func redo() {
    processPendingChanges()
    undoManager?.redo()
  }

  /// What the event that is ending has done, if somebody wants to know.
  final func undoStep() -> UndoStep? {
    guard let manager = undoSupport?.manager else { return nil }
    defer { events.undeleted = [] }
    guard manager.isUndoRegistrationEnabled else { return nil }
    let step = UndoStep(event, undeleted: events.undeleted)
    return step.isEmpty ? nil : step
  }

  final func register(_ step: UndoStep) {
    undoSupport?.manager.registerUndo(withTarget: self) { context in
      step.apply(in: context)
      context.processChanges()
    }
  }

  /// Forgets the steps that concern this context: their objects are as last fetched or gone.
  final func forgetUndoSteps() { undoSupport?.manager.removeAllActions(withTarget: self) }
}

/// A context's tie to its undo manager.
struct UndoSupport {
  let manager: UndoManager

  func join(_ context: NSManagedObjectContext) {
    manager.clients[ObjectIdentifier(context)] = { [weak context] in context?.processChanges() }
    let queue: DispatchQueue = context.queue
    manager.schedule = { end in
      // The manager is used on the context's queue, as everything of the context.
      nonisolated(unsafe) let end = end
      queue.async { end() }
    }
  }

  func leave(_ context: NSManagedObjectContext) { manager.clients[ObjectIdentifier(context)] = nil }
}

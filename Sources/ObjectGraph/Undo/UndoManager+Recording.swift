internal import Foundation
internal import Schema

extension UndoManager {
  /// Takes an action into the innermost open group.
  final func register(_ action: UndoAction) {
    guard isUndoRegistrationEnabled else { return }
    if open.isEmpty {
      guard groupsByEvent else {
        ProgrammerError.stop(
          "An undo action was registered outside of any group: call beginUndoGrouping first, or let groupsByEvent be true."
        )
      }
      openEventGroup()
    }
    // Something new was done: what was undone before can't be done again after it.
    if activity == .recording { redoStack = [] }
    open.last?.append(action)
  }

  final func openEventGroup() {
    pushGroup()
    isEventGroup = true
    guard activity == .recording else { return }
    groupNumber += 1
    let end = EventEnd(manager: self, groupNumber: groupNumber)
    schedule { end.run() }
  }

  /// The event is over: its group becomes a step, once no other is open inside it.
  final func endEventGroup() {
    guard isEventGroup, open.count == 1, activity == .recording else { return }
    closeGroup()
  }

  final func pushGroup() {
    open.append(UndoGroup())
    post(.NSUndoManagerDidOpenUndoGroup)
  }

  final func closeGroup() {
    checkpoint()
    post(.NSUndoManagerWillCloseUndoGroup)
    let group: UndoGroup = open.removeLast()
    if let outer = open.last {
      if !group.isEmpty { outer.append(group) }
      if outer.name == nil { outer.name = group.name }
    } else {
      isEventGroup = false
      keep(group)
    }
    post(.NSUndoManagerDidCloseUndoGroup)
  }

  private func keep(_ group: UndoGroup) {
    guard !group.isEmpty else { return }
    if activity == .undoing { redoStack.append(group) } else { undoStack.append(group) }
    trim()
  }

  final func trim() {
    guard levelsOfUndo > 0 else { return }
    undoStack.removeFirst(max(0, undoStack.count - levelsOfUndo))
    redoStack.removeFirst(max(0, redoStack.count - levelsOfUndo))
  }

  /// Runs a step; what registers meanwhile becomes the step that does the opposite.
  final func replay(_ group: UndoGroup, as activity: Activity) {
    let outer: [UndoGroup] = open
    open = []
    self.activity = activity
    pushGroup()
    open[0].name = group.name
    open[0].isDiscardable = group.isDiscardable
    group.run()
    while open.count > 1 { closeGroup() }
    closeGroup()
    self.activity = .recording
    open = outer
  }

  final func post(_ name: Notification.Name) {
    NotificationCenter.default.post(name: name, object: self)
  }

  /// Lets those who collect changes register them, before a group opens or ends.
  final func checkpoint() {
    for register in clients.values { register() }
    post(.NSUndoManagerCheckpoint)
  }

  static func scheduleOnMainQueue(_ end: @escaping () -> Void) {
    // Elsewhere nothing tells when an event ends: it lasts until the manager is asked to undo.
    guard Thread.isMainThread else { return }
    // The manager belongs to whoever uses it; by the contract of groupsByEvent that is the main queue here.
    nonisolated(unsafe) let end = end
    DispatchQueue.main.async { end() }
  }
}

/// Ends the event group that it was made for, unless that has ended or the manager is gone.
private final class EventEnd {
  private weak var manager: UndoManager?
  private let groupNumber: Int

  init(manager: UndoManager, groupNumber: Int) {
    self.manager = manager
    self.groupNumber = groupNumber
  }

  func run() {
    guard let manager, manager.groupNumber == groupNumber else { return }
    manager.endEventGroup()
  }
}

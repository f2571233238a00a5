public import Foundation
internal import Schema

/// Remembers how to take back what was done, in groups, and how to do it again. Absent from Foundation on Linux.
///
/// What is registered goes into the open group; ending the outermost group makes it one step of `undo()`. With
/// `groupsByEvent`, the default, a group is opened by itself and ends with the event. What registers while undoing
/// becomes a step of `redo()`. Belongs to one thread or queue at a time.
open class UndoManager: NSObject {
  final var undoStack: [UndoGroup] = []
  final var redoStack: [UndoGroup] = []
  /// Groups that are open, the outermost first.
  final var open: [UndoGroup] = []
  final var disabled: Int = 0
  final var activity: Activity = .recording
  /// Whether the outermost group was opened by `groupsByEvent`, and ends by itself.
  final var isEventGroup = false
  /// How many event groups there have been: tells whether one is still the open one.
  final var groupNumber = 0
  /// Puts the end of an event on a queue. Contexts set their own.
  final var schedule: (@escaping () -> Void) -> Void = UndoManager.scheduleOnMainQueue
  /// Contexts that have something to register before a group opens or ends.
  final var clients: [ObjectIdentifier: () -> Void] = [:]

  enum Activity {
    case recording
    case undoing
    case redoing
  }

  /// A manager that groups by events.
  public override init() { super.init() }

  // MARK: groups

  /// Opens a group, inside the one that is open. Posts `NSUndoManagerDidOpenUndoGroup`.
  open func beginUndoGrouping() {
    checkpoint()
    pushGroup()
  }

  /// Ends the innermost group. Stops the program when none is open. Posts `NSUndoManagerWillCloseUndoGroup` and
  /// `NSUndoManagerDidCloseUndoGroup`.
  open func endUndoGrouping() {
    guard !open.isEmpty else {
      ProgrammerError.stop("endUndoGrouping was called without beginUndoGrouping: no undo group is open.")
    }
    closeGroup()
  }

  /// How many groups are open.
  open var groupingLevel: Int { open.count }

  /// Whether changes within one event form one group by themselves: true unless set.
  ///
  /// An event ends with the block of a context's `perform`, with `processPendingChanges` and with a save; for what is
  /// done on the main thread outside of blocks, with a call that is put on the main queue; and with `undo()`.
  open var groupsByEvent: Bool = true

  /// How many steps are kept; 0, the default, for any number. The oldest are dropped.
  open var levelsOfUndo: Int = 0 { didSet { trim() } }

  // MARK: registration

  /// Whether registrations are recorded. A count lies behind it: disabling twice needs enabling twice.
  open var isUndoRegistrationEnabled: Bool { disabled == 0 }

  /// Stops recording, until `enableUndoRegistration()`.
  open func disableUndoRegistration() { disabled += 1 }

  /// Records again. Stops the program when recording was not disabled.
  open func enableUndoRegistration() {
    guard disabled > 0 else {
      ProgrammerError.stop("enableUndoRegistration was called without disableUndoRegistration before it.")
    }
    disabled -= 1
  }

  /// Records what takes back a change.
  ///
  /// - Parameters:
  ///   - target: not kept alive; what is registered for it is skipped when it is gone, and can be removed with
  ///     `removeAllActions(withTarget:)`.
  ///   - handler: called with the target by `undo()` (or `redo()`, for what undoing has registered).
  public func registerUndo<TargetType: AnyObject>(
    withTarget target: TargetType, handler: @escaping (TargetType) -> Void
  ) {
    register(
      UndoAction(target: target) { [weak target] in
        if let target { handler(target) }
      })
  }

  /// Names the step that is being recorded; shown in menus.
  open func setActionName(_ actionName: String) {
    if let group = open.first { group.name = actionName } else { undoStack.last?.name = actionName }
  }

  /// Marks what is being recorded as nothing that a person would miss.
  open func setActionIsDiscardable(_ discardable: Bool) {
    if let group = open.first { group.isDiscardable = discardable } else { undoStack.last?.isDiscardable = discardable }
  }

  // MARK: undo and redo

  /// Whether there is a step to take back.
  open var canUndo: Bool { !undoStack.isEmpty || open.contains { !$0.isEmpty } }

  /// Whether there is a step to do again. Posts `NSUndoManagerCheckpoint`.
  open var canRedo: Bool {
    checkpoint()
    return !redoStack.isEmpty
  }

  /// Whether `undo()` is running.
  open var isUndoing: Bool { activity == .undoing }

  /// Whether `redo()` is running.
  open var isRedoing: Bool { activity == .redoing }

  /// Ends the group of the event that is going on, and takes the last step back. Does nothing without steps.
  ///
  /// Stops the program while a group is open that `beginUndoGrouping()` has opened.
  open func undo() {
    checkpoint()
    endEventGroup()
    guard open.isEmpty else {
      ProgrammerError.stop("undo() was called while \(open.count) undo groups are open: end them first.")
    }
    undoNestedGroup()
  }

  /// Takes back the last group that was ended.
  open func undoNestedGroup() {
    guard let group = undoStack.popLast() else { return }
    post(.NSUndoManagerWillUndoChange)
    replay(group, as: .undoing)
    post(.NSUndoManagerDidUndoChange)
  }

  /// Does the last undone step again. Does nothing without one.
  open func redo() {
    checkpoint()
    endEventGroup()
    guard let group = redoStack.popLast() else { return }
    post(.NSUndoManagerWillRedoChange)
    replay(group, as: .redoing)
    post(.NSUndoManagerDidRedoChange)
  }

  /// Forgets all steps, and what is being recorded; enables registration.
  open func removeAllActions() {
    undoStack = []
    redoStack = []
    open = []
    isEventGroup = false
    disabled = 0
  }

  /// Forgets what was registered for a target.
  open func removeAllActions(withTarget target: Any) {
    let identity = ObjectIdentifier(target as AnyObject)
    for group in undoStack + redoStack + open { group.remove(identity) }
    undoStack.removeAll { $0.isEmpty }
    redoStack.removeAll { $0.isEmpty }
  }

  // MARK: names

  /// Whether the step that `undo()` would take back was marked discardable.
  open var undoActionIsDiscardable: Bool { undoStack.last?.isDiscardable ?? false }
  /// Whether the step that `redo()` would do again was marked discardable.
  open var redoActionIsDiscardable: Bool { redoStack.last?.isDiscardable ?? false }
  /// Name of the step that `undo()` would take back; empty for none.
  open var undoActionName: String { (open.first?.name ?? undoStack.last?.name) ?? "" }
  /// Name of the step that `redo()` would do again; empty for none.
  open var redoActionName: String { redoStack.last?.name ?? "" }
  /// "Undo" and the step's name.
  open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }
  /// "Redo" and the step's name.
  open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }
  /// "Undo" and a name. Subclasses translate.
  open func undoMenuTitle(forUndoActionName actionName: String) -> String {
    actionName.isEmpty ? "Undo" : "Undo \(actionName)"
  }
  /// "Redo" and a name. Subclasses translate.
  open func redoMenuTitle(forUndoActionName actionName: String) -> String {
    actionName.isEmpty ? "Redo" : "Redo \(actionName)"
  }
}

// One thread or queue at a time, as in Foundation: whoever passes it on sees to that.
@available(*, unavailable)
extension UndoManager: @unchecked Sendable {}

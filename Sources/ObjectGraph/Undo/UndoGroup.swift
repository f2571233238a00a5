/// A step of an undo manager: actions in the order they were registered, and groups that ended inside it.
final class UndoGroup {
  enum Part {
    case action(UndoAction)
    case group(UndoGroup)
  }

  private(set) var parts: [Part] = []
  var name: String?
  var isDiscardable = false

  var isEmpty: Bool {
    parts.allSatisfy { part in
      if case .group(let group) = part { return group.isEmpty }
      return false
    }
  }

  func append(_ action: UndoAction) { parts.append(.action(action)) }
  func append(_ group: UndoGroup) { parts.append(.group(group)) }

  /// Removes what was registered for a target.
  func remove(_ target: ObjectIdentifier) {
    parts.removeAll { part in
      switch part {
      case .action(let action): return action.identity == target
      case .group(let group):
        group.remove(target)
        return group.isEmpty
      }
    }
  }

  /// Runs its actions, the last one first.
  func run() {
    for part in parts.reversed() {
      switch part {
      case .action(let action): action.run()
      case .group(let group): group.run()
      }
    }
  }
}

/// What takes one change back.
struct UndoAction {
  /// Whom it was registered for: to remove it by.
  let identity: ObjectIdentifier
  let run: () -> Void

  init(target: AnyObject, run: @escaping () -> Void) {
    identity = ObjectIdentifier(target)
    self.run = run
  }
}

internal import Foundation
internal import Schema

/// Where a context stands in its event.
struct EventState {
  /// A block of `perform` or `performAndWait` is running, which ends the event.
  var isInBlock = false
  /// The end of the event is on the queue.
  var isEndScheduled = false
  /// Pending changes are being processed.
  var isProcessing = false
  var isSaving = false
  /// Objects whose deletion this event has undone.
  var undeleted: Set<NSManagedObject> = []
}

// An event is what happens between two moments at which a context processes its changes. It ends with the outermost
// block of `perform` or `performAndWait`; where a context is used on its queue without one, which only the main thread
// can do, with a call that is put on the main queue after the first change; and in any case before a fetch and a save.
// Where a context is used off its queue, which is a mistake, only the last holds: a call on the queue could run at the
// same time. There is no run loop to observe here. This is the one place that decides it.
extension NSManagedObjectContext {
  /// Runs a block of `perform` or `performAndWait`.
  final func runEvent<T>(_ block: () throws -> T) rethrows -> T {
    let outer: Bool = events.isInBlock
    events.isInBlock = true
    defer {
      events.isInBlock = outer
      if !outer { processPendingChanges() }
    }
    return try block()
  }

  /// An object was changed: the event now has something to end.
  final func note(_ object: NSManagedObject) {
    if !object.flags.contains(.tracked) {
      object.flags.insert(.tracked)
      pending.append(object)
    }
    noteInEvent(object)
  }

  /// An object was touched by the event without a change of its own to save.
  final func noteInEvent(_ object: NSManagedObject) {
    if !object.flags.contains(.inEvent) {
      object.flags.insert(.inEvent)
      event.append(object)
    }
    scheduleEventEnd()
  }

  /// Puts the end of the event on the queue, unless a block or a save will see to it.
  final func scheduleEventEnd() {
    guard !events.isInBlock, !events.isEndScheduled, !events.isProcessing, !events.isSaving, isOnQueue else { return }
    events.isEndScheduled = true
    queue.async { [weak self] in
      guard let self else { return }
      self.events.isEndScheduled = false
      self.processPendingChanges()
    }
  }
}

public import Foundation

extension NotificationCenter {
  /// The notifications of a name as they are posted, from now on. Absent from Foundation on Linux.
  ///
  /// Notifications that come faster than they are taken wait; none is dropped. Leaving the loop ends it.
  ///
  /// - Parameter object: only notifications of this object; of any with `nil`.
  public func notifications(named name: Notification.Name, object: AnyObject? = nil) -> Notifications {
    Notifications(center: self, name: name, object: object)
  }

  /// Notifications of one name.
  public final class Notifications: AsyncSequence, Sendable {
    public typealias Element = Notification

    private let stream: AsyncStream<Posted>
    private let observation: Observation

    init(center: NotificationCenter, name: Notification.Name, object: AnyObject?) {
      let (stream, continuation) = AsyncStream.makeStream(of: Posted.self)
      self.stream = stream
      // Observed from here on, not from the first `next`: what is posted in between is not lost.
      let token = center.addObserver(forName: name, object: object, queue: nil) { note in
        continuation.yield(Posted(note: note))
      }
      observation = Observation(center: center, token: token)
    }

    public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator(), observation: observation) }

    public struct Iterator: AsyncIteratorProtocol {
      fileprivate var base: AsyncStream<Posted>.Iterator
      // Keeps observing while somebody iterates.
      fileprivate let observation: Observation

      /// The next notification; `nil` once the task is cancelled.
      public mutating func next() async -> Notification? { await base.next()?.note }
    }
  }
}

/// A notification on its way to whoever awaits it.
private struct Posted: @unchecked Sendable {
  // unchecked: as with any observer, what is in a notification is the business of those who post and read it.
  let note: Notification
}

/// Ends the observation when the sequence and its iterators are gone.
private final class Observation: @unchecked Sendable {
  // unchecked: both are fixed, and a center may be used from any thread.
  private let center: NotificationCenter
  private let token: any NSObjectProtocol

  init(center: NotificationCenter, token: any NSObjectProtocol) {
    self.center = center
    self.token = token
  }

  deinit { center.removeObserver(token) }
}

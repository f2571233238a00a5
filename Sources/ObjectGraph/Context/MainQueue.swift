internal import Foundation

/// Whether code runs on the main queue.
///
/// The main thread runs it, until an asynchronous `main` or `dispatchMain()` gives it to the threads of the pool; from
/// then on only the queue itself knows.
enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true }
}

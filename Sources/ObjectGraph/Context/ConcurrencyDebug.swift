internal import Foundation
internal import Glibc
internal import Schema

/// Core Data's debugging aid for queues: with `-com.apple.CoreData.ConcurrencyDebug 1` among the program's arguments, in
/// its user defaults, or with a variable of that name in its environment, whoever touches a context or one of its
/// objects off the context's queue stops at once.
///
/// Decided when it is first asked for; off, it costs the look at one flag. Ids, and what is made to be called from
/// anywhere (`perform` and its kin, merging, settings), are never in question.
enum ConcurrencyDebug {
  private static let name = "com.apple.CoreData.ConcurrencyDebug"

  static let isOn: Bool = {
    let environment: String? = ProcessInfo.processInfo.environment[name]
    let isWanted: Bool = environment.map { (Int($0) ?? 0) > 0 } ?? (UserDefaults.standard.integer(forKey: name) > 0)
    if isWanted {
      FileHandle.standardError.write(
        Data("CoreData: annotation: Core Data multi-threading assertions enabled.\n".utf8))
    }
    return isWanted
  }()

  /// The label of the queue that runs the caller.
  fileprivate static var currentQueue: String {
    if MainQueue.isCurrent { return "com.apple.main-thread" }
    // Foundation here has no name for the function that says it.
    typealias Label = @convention(c) (UnsafeRawPointer?) -> UnsafePointer<CChar>?
    guard let symbol = dlsym(nil, "dispatch_queue_get_label") else { return "another" }
    // unsafe: the function's type in C; nil asks for the current queue.
    let label: String = unsafeBitCast(symbol, to: Label.self)(nil).map { String(cString: $0) } ?? ""
    return label.isEmpty ? "another" : label
  }
}

extension NSManagedObjectContext {
  /// Stops the program when it is debugging queues and is not on this context's.
  @inline(__always)
  final func checkQueue() {
    if ConcurrencyDebug.isOn { stopUnlessOnQueue("The context '\(name ?? "")'") }
  }

  @inline(never)
  fileprivate final func stopUnlessOnQueue(_ subject: @autoclosure () -> String) {
    guard !isOnQueue else { return }
    ProgrammerError.stop(
      "CoreData: multithreading violation: \(subject()) belongs to the queue '\(queue.label)'\(name.map { " of the context '\($0)'" } ?? "") and was touched on the queue '\(ConcurrencyDebug.currentQueue)'. Use perform or performAndWait, and pass objectID between queues."
    )
  }
}

extension NSManagedObject {
  /// Stops the program when it is debugging queues and is not on this object's.
  @inline(__always)
  final func checkQueue() {
    if ConcurrencyDebug.isOn { registry?.context?.stopUnlessOnQueue("\(info.entity.name) \(objectID)") }
  }
}

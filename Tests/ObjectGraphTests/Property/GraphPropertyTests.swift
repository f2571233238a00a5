import Annals
import Foundation
import Testing

@testable import ObjectGraph

/// Random sequences of everything that changes a graph. In the environment `SEEDS` says how many to try, `FIRST_SEED`
/// where to begin, and `SECONDS` when to stop (`Scripts/graph-soak` sets them).
@Suite("The graph against a reference")
struct GraphPropertyTests {
  private static let environment: [String: String] = ProcessInfo.processInfo.environment

  /// Tries seeds until one fails, and reports that with the shortest sequence that fails too.
  private func soak<Step>(
    _ name: String, seeds usual: Int, _ steps: (Int) -> [Step], _ failure: ([Step], Int) -> String?
  ) {
    let count: Int = Self.environment["SEEDS"].flatMap { Int($0) } ?? usual
    let first: Int = Self.environment["FIRST_SEED"].flatMap { Int($0) } ?? 1
    let seconds: Double = Self.environment["SECONDS"].flatMap { Double($0) } ?? .infinity
    let start = Date()
    var tried = 0
    for seed in first..<first + count where Date().timeIntervalSince(start) < seconds {
      tried += 1
      let sequence: [Step] = steps(seed)
      guard failure(sequence, seed) != nil else { continue }
      let shortest: [Step] = Shrinking.shortest(sequence) { failure($0, seed) != nil }
      let list: String = shortest.map { "  \($0)" }.joined(separator: "\n")
      Issue.record("\(name): seed \(seed): \(failure(shortest, seed) ?? "-") after\n\(list)")
      return
    }
    guard Self.environment["SEEDS"] != nil else { return }
    print("graph-soak: \(name): \(tried) sequences from seed \(first), none failed")
  }

  @Test(
    "Inserts, edits, links, deletions, saves, merges, rollbacks and refreshes in four contexts: as the reference says")
  func walks() {
    let model: NSManagedObjectModel = GraphWalk.model()
    soak("four contexts", seeds: 4000) {
      GraphWalk.steps(seed: UInt64($0), count: 10 + $0 % 60)
    } _: { steps, _ in
      GraphWalk.failure(steps, model: model)
    }
  }

  @Test(
    "C142 C145 C146 C147: undo and redo go back and forth exactly, over saves, refreshes and merges of other changes",
    arguments: [false, true])
  func undoWalks(isChild: Bool) {
    let model: NSManagedObjectModel = GraphWalk.model()
    soak(isChild ? "undo in a child" : "undo", seeds: 3000) {
      UndoWalk.steps(seed: UInt64($0), count: 5 + $0 % 50)
    } _: { steps, _ in
      UndoWalk.failure(steps, model: model, isChild: isChild)
    }
  }
}

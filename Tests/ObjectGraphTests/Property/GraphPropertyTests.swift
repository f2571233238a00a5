import Annals
import Foundation
import Testing

@testable import ObjectGraph

/// Random sequences of everything that changes a graph, in two roots, a child and a grandchild. `SEEDS` in the
/// environment says how many to try, `FIRST_SEED` where to begin.
@Suite("The graph against a reference")
struct GraphPropertyTests {
  private static let environment: [String: String] = ProcessInfo.processInfo.environment

  @Test(
    "Inserts, edits, links, deletions, saves, merges, rollbacks and refreshes in four contexts: as the reference says")
  func walks() throws {
    let count: Int = Self.environment["SEEDS"].flatMap { Int($0) } ?? 2000
    let first: Int = Self.environment["FIRST_SEED"].flatMap { Int($0) } ?? 1
    let model: NSManagedObjectModel = GraphWalk.model()
    for seed in first..<first + count {
      let steps: [GraphWalk.Step] = GraphWalk.steps(seed: UInt64(seed), count: 10 + seed % 60)
      guard GraphWalk.failure(steps, model: model) != nil else { continue }
      let shortest: [GraphWalk.Step] = GraphWalk.shrunk(steps, model: model)
      let list: String = shortest.map { "  \($0)" }.joined(separator: "\n")
      Issue.record("seed \(seed): \(GraphWalk.failure(shortest, model: model) ?? "-") after\n\(list)")
      return
    }
  }
}

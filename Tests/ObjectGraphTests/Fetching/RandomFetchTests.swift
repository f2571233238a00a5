import Annals
import Foundation
import Testing

@testable import ObjectGraph

/// How many random worlds to try; `SEEDS` asks for more.
private let seedCount = Int(ProcessInfo.processInfo.environment["SEEDS"] ?? "") ?? 24

@Suite("Random fetches")
struct RandomFetchTests {
  @Test(
    "C49 C50 C51 C54 B154: A fetch over pending changes, in a context and in a child, gives what evaluating every object in memory gives",
    arguments: 0..<seedCount)
  func againstMemory(seed: Int) throws {
    let walk = try FetchWalk(seed: UInt64(seed))
    try walk.populate()
    for round in 0..<6 {
      try walk.disturb()
      for number in 0..<25 {
        let layer = number % 3 == 2 ? 1 : 0
        var question = try walk.question()
        guard try walk.failure(question, layer: layer) != nil else { continue }
        while let next = try question.simpler.first(where: { try walk.failure($0, layer: layer) != nil }) {
          question = next
        }
        let failure = try walk.failure(question, layer: layer) ?? ""
        Issue.record("seed \(seed), round \(round), layer \(layer): \(question): \(failure)")
        return
      }
    }
  }
}

import FileSystem
import Foundation
import Predicates
import Schema
import StoreContract
import Testing

@testable import RecordStore

/// How many random schemas to try; `SEEDS` asks for more.
private let seedCount = Int(ProcessInfo.processInfo.environment["SEEDS"] ?? "") ?? 128
/// Where to begin: to repeat one that failed.
private let firstSeed = Int(ProcessInfo.processInfo.environment["SEED"] ?? "") ?? 0

@Suite("Random plans")
struct RandomPlanTests {
  /// For each schema and its data: as many predicates, each with orders and windows. A hundred thousand cases in all.
  private static let predicateCount = 50
  private static let orderCount = 4
  private static let windows = [(limit: 0, offset: 0), (1, 0), (3, 2), (20, 15)]

  @Test(
    "B035: Every plan returns what reading every row and evaluating in memory returns, whatever indexes there are",
    arguments: firstSeed..<firstSeed + seedCount)
  func againstScan(seed: Int) throws {
    let bench = try PlanBench(seed: seed)
    var random = bench.random(1)
    try bench.view.checkInvariants()
    for number in 0..<Self.predicateCount {
      let question = try bench.question(&random)
      guard let failing = try firstFailure(question, number, bench, &random) else { continue }
      Issue.record("\(try PlanBench.shrunk(failing, seed: seed))\nfrom \(failing)")
      return
    }
  }

  /// The first of a question's orders and windows that goes wrong.
  private func firstFailure(
    _ question: PlanCase, _ number: Int, _ bench: PlanBench, _ random: inout SeededGenerator
  ) throws -> PlanCase? {
    let plain = try bench.plan(question)
    let rows = try bench.matches(plain)
    if number % 4 == 0, let predicate = question.predicate, try bench.disagreement(predicate, plain, rows) != nil {
      return question
    }
    for order in 0..<Self.orderCount {
      var question = question
      question.sort = (0..<order).prefix(2).map { _ in bench.world.sort(&random) }
      var plan = try bench.plan(question)
      let keys = try bench.ordered(rows, plan)
      for (limit, offset) in Self.windows {
        (question.limit, question.offset) = (limit, offset)
        (plan.limit, plan.offset) = (limit, offset)
        let wanted = PlanBench.window(keys, plan)
        if try bench.failure(plan, wanted, counting: order == 0) != nil { return question }
      }
    }
    return nil
  }

  @Test("Joins, unions, joint constraints and index orders are all used by random plans")
  func coverage() throws {
    var seen: Set<String> = []
    for seed in 0..<24 {
      let bench = try PlanBench(seed: seed)
      var random = bench.random(2)
      for _ in 0..<100 {
        var question = try bench.question(&random)
        question.sort = [bench.world.sort(&random)]
        question.limit = 3
        let report = FetchReport()
        _ = try bench.view.keys(for: bench.plan(question), overlay: nil, report: report)
        for word in ["every row of", "found by", " or ", "index on", "unique", ", in its order", "objects by key"]
        where report.access.contains(word) { seen.insert(word) }
        if report.order.hasPrefix("by index") { seen.insert("order") }
      }
    }
    #expect(seen.count == 8, "\(seen)")
  }
}

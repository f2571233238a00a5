import CrashWorkload
import Glibc

/// Tries points one after the other and says how it goes.
struct CrashCampaign {
  let points: UInt64
  let firstSeed: UInt64
  let seconds: Double?
  let traces: Bool
  /// Beyond it, more of the same tells nothing.
  private static let violationsMax = 10

  /// - Returns: How many violations there were.
  func run() -> Int {
    let clock = ContinuousClock()
    let start = clock.now
    var tried: UInt64 = 0
    var violations = 0
    while tried < points {
      let seed = firstSeed &+ tried
      do throws(CrashWorkload.Violation) {
        try CrashWorkload.run(seed: seed, trace: traces ? { print($0) } : nil)
      } catch {
        violations += 1
        print("VIOLATION \(error)")
        print("  again: crash-campaign --points 1 --seed \(seed)")
        if violations == Self.violationsMax { break }
      }
      tried += 1
      if tried % 64 == 0, let seconds, start.duration(to: clock.now) > .seconds(seconds) { break }
    }
    let elapsed = start.duration(to: clock.now)
    let spent = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    let rate = spent > 0 ? Double(tried) / spent : 0
    print("points \(tried), first seed \(firstSeed), \(Int(rate)) points a second, violations \(violations)")
    return violations
  }
}

func printError(_ message: String) {
  let bytes = Array((message + "\n").utf8)
  _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

func exitProgram(_ code: Int32) -> Never { exit(code) }

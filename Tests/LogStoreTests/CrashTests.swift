import CrashWorkload
import LogStore
import Testing

@Suite("Crash points")
struct CrashTests {
  /// Twenty thousand in all; the campaign program runs millions.
  private static let pointsEach: UInt64 = 2500

  @Test("Nothing acknowledged is lost and nothing else is found, wherever the power goes", arguments: 0..<8)
  func points(part: Int) throws {
    let first = UInt64(part) * 1_000_000 + 1
    for seed in first..<first + Self.pointsEach { try CrashWorkload.run(seed: seed) }
  }

  /// Deliberate mistakes, each of which must be noticed.
  enum Mutant: String, CaseIterable {
    case ignoresChecksums, skipsDirectorySync, skipsSync, retriesSync, keepsUnsyncedTail

    var faults: LogFaults {
      var faults = LogFaults()
      switch self {
      case .ignoresChecksums: faults.ignoresChecksums = true
      case .skipsDirectorySync: faults.skipsDirectorySync = true
      case .skipsSync: faults.skipsSync = true
      case .retriesSync: faults.retriesSync = true
      case .keepsUnsyncedTail: faults.keepsUnsyncedTail = true
      }
      return faults
    }
  }

  @Test("The checker has teeth: a log that makes a mistake on purpose is caught", arguments: Mutant.allCases)
  func mutants(mutant: Mutant) {
    var caught = 0
    var tried: UInt64 = 0
    while caught == 0, tried < 5000 {
      tried += 1
      do { try CrashWorkload.run(seed: tried, faults: mutant.faults) } catch { caught += 1 }
    }
    #expect(caught > 0, "\(mutant) was not noticed in \(tried) points")
  }
}

import Foundation
import Testing

@testable import Porting

/// Ports one text as a file of its own.
func port(_ text: String, guarding: Bool = false) -> PortedFile {
  Porter.port([(path: "A.swift", bytes: Array(text.utf8))], options: Porter.Options(guardsAttributes: guarding))[0]
}

extension PortedFile {
  var text: String { String(decoding: ported, as: UTF8.self) }
  var changes: [PortingNote] { notes.filter { $0.kind == .change } }
  var remarks: [PortingNote] { notes.filter { $0.kind == .remark } }
}

/// A text that ports to another; both ways of porting must be at rest after one run.
struct Example: CustomTestStringConvertible, Sendable {
  let name: String
  let before: String
  let after: String

  init(_ name: String, _ before: String, _ after: String) {
    self.name = name
    self.before = before
    self.after = after
  }

  var testDescription: String { name }
}

/// Where fixtures are.
let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures")

/// Numbers that are the same in every run.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

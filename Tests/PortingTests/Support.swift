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

import LogStore
import RecordStore
import Schema

/// One bad place of a store, with all that is known of it.
struct StoreFault {
  enum Severity: String {
    case damage, warning
    case tornTail = "torn-tail"
  }

  var severity: Severity
  var message: String
  var path: String?
  var offsetBytes: UInt64?
  var recordKind: UInt8?
  var expectedChecksum: UInt64?
  var computedChecksum: UInt64?
  var lastGood: UInt64?
  var nextGood: UInt64?
  /// The last good transaction in words: its time and author.
  var lastGoodText: String?

  init(_ severity: Severity, _ message: String) {
    self.severity = severity
    self.message = message
  }

  init(_ place: VerifyReport.BadPlace) {
    self.init(.damage, place.message)
    path = place.path
    offsetBytes = place.offsetBytes
    recordKind = place.recordKind
    expectedChecksum = place.expectedChecksum
    computedChecksum = place.foundChecksum
    lastGood = place.lastGoodNumber
    nextGood = place.nextGoodNumber
  }

  init(_ error: StoreError) {
    self.init(.damage, error.message)
    path = error.path
    offsetBytes = error.offsetBytes
    if let log = error.underlying as? LogError {
      path = path ?? log.path
      offsetBytes = offsetBytes ?? log.offsetBytes
      expectedChecksum = log.expectedChecksum
      computedChecksum = log.foundChecksum
      lastGood = log.lastGoodNumber
      nextGood = log.nextGoodNumber
    }
  }

  init(_ finding: VerificationReport.Finding) {
    self.init(finding.severity == .damage ? .damage : .warning, finding.message)
    path = finding.path
    offsetBytes = finding.offsetBytes
  }

  /// One fact a line, indented under the message.
  var text: String {
    var lines = ["\(severity.rawValue): \(message)"]
    if let path { lines.append("  segment            \(path)") }
    if let offsetBytes { lines.append("  byte offset        \(offsetBytes)") }
    if let recordKind { lines.append("  record kind        \(Self.hexadecimal(UInt64(recordKind), 2))") }
    if let expectedChecksum { lines.append("  expected checksum  \(Self.hexadecimal(expectedChecksum, 16))") }
    if let computedChecksum { lines.append("  computed checksum  \(Self.hexadecimal(computedChecksum, 16))") }
    if let lastGood {
      let number = lastGood == 0 ? "none" : String(lastGood)
      lines.append("  last good          \(number)\(lastGoodText.map { " (\($0))" } ?? "")")
    }
    if severity == .damage, lastGood != nil {
      lines.append("  next good          \(nextGood.map { String($0) } ?? "none")")
    }
    return lines.joined(separator: "\n")
  }

  var json: JSONObject {
    var object = JSONObject(kind: "fault")
    object.add("severity", .string(severity.rawValue))
    object.add("message", .string(message))
    object.add("path", .text(path))
    object.add("offset", offsetBytes.map { .integer($0) } ?? .null)
    object.add("record_kind", recordKind.map { .integer(Int($0)) } ?? .null)
    object.add("expected", .text(expectedChecksum.map { Self.hexadecimal($0, 16) }))
    object.add("computed", .text(computedChecksum.map { Self.hexadecimal($0, 16) }))
    object.add("last_good", lastGood.map { .integer($0) } ?? .null)
    object.add("next_good", nextGood.map { .integer($0) } ?? .null)
    return object
  }

  static func hexadecimal(_ number: UInt64, _ width: Int) -> String {
    let digits = String(number, radix: 16)
    return "0x" + String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

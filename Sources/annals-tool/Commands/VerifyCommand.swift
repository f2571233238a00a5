import FileSystem
import LogStore
import RecordStore
import Schema

/// `annals verify`: every byte, and (deep) whether what the bytes say agrees with itself.
enum VerifyCommand: Command {
  static let spec = CommandSpec(
    name: "verify", summary: "Checks every byte of a store and says where it is damaged.", arguments: ["STORE"],
    about: """
      Checks the store in the directory STORE. Quick: the frames and checksums of all records in all segments. Deep,
      which is the default: that, and whether every row fits its layout, relationships, unique and derived values
      agree with the rows, and checkpoints with the log (one that cannot be used is only a warning). For each bad
      place it prints the segment, the byte offset, the kind of the record, the expected and the computed checksum,
      the last good transaction before it and the next good one behind it. A torn tail (an unfinished record at the
      end, of a commit that was never acknowledged) is told from damage.
      """,
    options: [
      OptionSpec("quick", "Only frames and checksums."), OptionSpec("deep", "Everything; the default."),
    ],
    exitCodes: [
      (.fine, "sound; there may be warnings"), (.usage, "bad command line"), (.cannotOpen, "cannot be opened"),
      (.tornTail, "only the tail is torn; complete up to the last commit"), (.damaged, "damaged"),
      (.newerFormat, "format newer than this program"),
    ],
    examples: ["annals verify Catalogue.sqlite", "annals verify --quick --json Catalogue.sqlite"])

  static func run(_ arguments: CommandLineArguments, _ output: Output) throws -> ExitCode {
    let path = try arguments.only("STORE")
    let isQuick = arguments.has("quick")
    if isQuick, arguments.has("deep") { throw arguments.fault("--quick and --deep exclude each other") }
    let report = try LogStore.verify(path, in: DiskFileSystem())
    var faults = report.badPlaces.map { StoreFault($0) }
    var deep: VerificationReport?
    // Rows cannot be judged where the bytes that hold them are gone, nor where nothing was written.
    if !isQuick, faults.isEmpty, report.lastGoodNumber > 0 { deep = try OpenStore(path).inspection.verify() }
    faults += deep?.findings.map { StoreFault($0) } ?? []
    describeLastGood(&faults, path)
    if let torn = tornTail(report) { faults.append(torn) }
    for fault in faults {
      if output.isJSON { try output.line(fault.json) } else { try output.line(fault.text) }
    }
    let code = exitCode(faults)
    try summarise(report, deep, faults, code, isQuick: isQuick, output)
    return code
  }

  private static func exitCode(_ faults: [StoreFault]) -> ExitCode {
    faults.reduce(.fine) { code, fault in
      switch fault.severity {
      case .damage: code.orWorse(.damaged)
      case .tornTail: code.orWorse(.tornTail)
      case .warning: code
      }
    }
  }

  private static func tornTail(_ report: VerifyReport) -> StoreFault? {
    guard report.tornBytes > 0 else { return nil }
    var fault = StoreFault(
      .tornTail,
      "\(report.tornBytes) bytes at the end are an unfinished record; the next writer cuts them, nothing is lost")
    fault.lastGood = report.lastGoodNumber
    if let location = report.tornLocation {
      fault.path = report.segments.first { $0.sequence == location.segment }?.path
      fault.offsetBytes = location.offsetBytes
    }
    return fault
  }

  /// Says when the last good transaction before the first damage was made, and by whom, if that much can be read.
  private static func describeLastGood(_ faults: inout [StoreFault], _ path: String) {
    guard let number = faults.first(where: { $0.lastGood != nil })?.lastGood, number > 0,
      let store = try? OpenStore(path)
    else { return }
    var text: String?
    // The damaged store may refuse here too; the number alone is told then.
    try? store.inspection.forEachTransaction(after: number - 1) { transaction in
      if transaction.number == number {
        let author = transaction.author.map { " by \(ValueFormatter.escaped($0))" } ?? ""
        text = TimeText.short(transaction.timestamp) + author
      }
      return false
    }
    for index in faults.indices where faults[index].lastGood == number { faults[index].lastGoodText = text }
  }

  private static func summarise(
    _ report: VerifyReport, _ deep: VerificationReport?, _ faults: [StoreFault], _ code: ExitCode, isQuick: Bool,
    _ output: Output
  ) throws {
    let damages = faults.count { $0.severity == .damage }
    let warnings = faults.count { $0.severity == .warning }
    if output.isJSON {
      var object = JSONObject(kind: "verify")
      object.add("exit", .integer(Int(code.rawValue)))
      object.add("deep", .bool(deep != nil))
      object.add("records", .integer(report.recordCount))
      object.add("blocks", .integer(report.blockCount))
      object.add("bytes", .integer(report.byteCount))
      object.add("rows", deep.map { .integer($0.rowsChecked) } ?? .null)
      object.add("last_good", .integer(report.lastGoodNumber))
      object.add("closed_cleanly", .bool(report.closedCleanly))
      object.add("torn_bytes", .integer(report.tornBytes))
      object.add("damages", .integer(damages))
      object.add("warnings", .integer(warnings))
      return try output.line(object)
    }
    let checked = "\(report.recordCount) records, \(report.blockCount) blocks, \(report.byteCount) bytes checked"
    let rows =
      deep.map { ", \($0.rowsChecked) rows" }
      ?? (isQuick || damages == 0 ? "" : "; deep checks left out, for the damage")
    let verdict: String =
      switch code {
      case .damaged: output.styled("damaged", .bad) + ": \(ValueFormatter.count(damages, "bad place"))"
      case .tornTail: "torn tail; complete up to the last commit"
      default:
        output.styled("sound", .good) + (warnings > 0 ? ", with \(ValueFormatter.count(warnings, "warning"))" : "")
      }
    try output.line("\(verdict) (\(checked)\(rows))")
  }
}

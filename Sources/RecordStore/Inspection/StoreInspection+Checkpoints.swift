import LogStore
import Schema

extension StoreInspection {
  /// The checkpoints beside the log, the newest first, with what is wrong with them.
  var checkpoints: [StoreInfo.Checkpoint] {
    let known = foundCheckpoints.usable.map { checkpoint in
      StoreInfo.Checkpoint(
        fileName: Self.lastPart(of: checkpoint.path), number: checkpoint.number, sizeBytes: checkpoint.sizeBytes,
        fault: isInLog(checkpoint) ? nil : "the log does not have the place that it names")
    }
    let others = foundCheckpoints.refused.map { ignored in
      let name = Self.lastPart(of: ignored.path)
      return StoreInfo.Checkpoint(
        fileName: name, number: CheckpointFiles.number(of: name) ?? 0, sizeBytes: nil, fault: ignored.reason)
    }
    return (known + others).sorted { $0.number > $1.number }
  }

  private func isInLog(_ checkpoint: Checkpoint) -> Bool {
    (try? core.log.position(after: checkpoint.number)) == checkpoint.directory.position
  }

  /// Checks the checkpoints: every page, and whether they say what the log says. One that cannot be used is only a
  /// warning, for nothing depends on it; one that would be used and is wrong is damage.
  func verifyCheckpoints(_ report: inout VerificationReport) throws(StoreError) {
    func note(_ severity: VerificationReport.Finding.Severity, _ path: String, _ message: String) {
      report.findings.append(VerificationReport.Finding(severity, message, path: path))
    }
    for ignored in foundCheckpoints.refused {
      note(.warning, ignored.path, "The checkpoint is not used: \(ignored.reason). Opening reads the log instead.")
    }
    for checkpoint in foundCheckpoints.usable {
      guard isInLog(checkpoint) else {
        note(
          .warning, checkpoint.path,
          "The checkpoint is not used: the log does not have the place that it names. Opening reads the log instead.")
        continue
      }
      let pages = checkpoint.pages
      let damaged = (0..<pages.pageCount).filter { pages.page($0) == nil }
      if let first = damaged.first {
        let offset = CheckpointHeader.sizeBytes + first * PageFile.strideBytes
        report.findings.append(
          VerificationReport.Finding(
            .warning,
            "\(damaged.count) of \(pages.pageCount) pages of the checkpoint are damaged. They are worked out from the log.",
            path: checkpoint.path, offsetBytes: UInt64(offset)))
        continue
      }
      let contents = try CheckpointContents(of: core.log, upTo: checkpoint.number)
      if let difference = try contents.difference(from: checkpoint) {
        note(.damage, checkpoint.path, "The checkpoint differs from the log: \(difference). Remove the file.")
      }
    }
  }
}

/// A checkpoint that was not opened from. Nothing is lost by that: what it says was worked out from the log.
public struct IgnoredCheckpoint: Sendable {
  public let path: String
  /// Why: it is damaged, of another version, or the log does not have the place that it names.
  public let reason: String
}

/// How a store was opened: from which checkpoint, and how much of the log had to be read after it.
public struct OpeningReport: Sendable {
  /// The record that the checkpoint is as of; `nil` when the whole log was read.
  public internal(set) var checkpointNumber: UInt64?
  /// Records that were read behind it, or all.
  public internal(set) var replayedRecords = 0
  public internal(set) var ignoredCheckpoints: [IgnoredCheckpoint] = []
}

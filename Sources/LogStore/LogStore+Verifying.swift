public import FileSystem

extension LogStore {
  /// Checks every byte of a log, without opening it, without a lock, writing nothing; bad places are reported, not
  /// thrown. Takes time linear in the log's size.
  /// - Throws: `LogError` when there is no log to check, it is of a newer format, or the system refuses to read it.
  public static func verify(_ directory: String, in fileSystem: any FileSystem) throws(LogError) -> VerifyReport {
    let (sequences, hasForeignFiles) = try SegmentFiles.list(directory, in: fileSystem)
    guard !sequences.isEmpty else { throw noLog(directory, hasForeignFiles: hasForeignFiles) }
    var verifier = LogVerifier(directory, in: fileSystem)
    try verifier.run(sequences)
    return verifier.report
  }
}

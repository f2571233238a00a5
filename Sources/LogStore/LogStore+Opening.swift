public import FileSystem

import struct Foundation.UUID

extension LogStore {
  /// Opens the log: finds the segments, checks the chain of records, cuts a torn tail (when writing). Every record's
  /// checksum is compared; `visit` sees each good record in order, which is how the layer above builds its indexes
  /// in one pass. What it saw is void when opening throws.
  /// - Throws: `LogError`; an error of `visit` is its `cause`, with code `stoppedByVisitor`.
  public static func open(
    _ directory: String, in fileSystem: any FileSystem, options: Options = Options(),
    visit: (borrowing RecordReader) throws -> Void
  ) throws(LogError) -> LogStore {
    try open(directory, fileSystem, options, nil, visit)
  }

  /// Opens the log from a place that somebody kept: what comes before it is neither read nor checked, and `visit` sees
  /// only what comes after it.
  /// - Returns: `nil` when the log does not have the place; nothing was changed and nothing visited.
  package static func open(
    _ directory: String, in fileSystem: any FileSystem, options: Options, from position: LogPosition,
    visit: (borrowing RecordReader) throws -> Void
  ) throws(LogError) -> LogStore? {
    do throws(LogError) {
      return try open(directory, fileSystem, options, position, visit)
    } catch {
      if error.cause is LogPosition.Stale { return nil }
      throw error
    }
  }

  private static func open(
    _ directory: String, _ fileSystem: any FileSystem, _ options: Options, _ position: LogPosition?,
    _ visit: (borrowing RecordReader) throws -> Void
  ) throws(LogError) -> LogStore {
    switch options.mode {
    case .readOnly: try openToRead(directory, fileSystem, options, position, visit)
    case .readWrite: try openToWrite(directory, fileSystem, options, position, visit)
    }
  }

  private static func openToRead(
    _ directory: String, _ fileSystem: any FileSystem, _ options: Options, _ position: LogPosition?,
    _ visit: (borrowing RecordReader) throws -> Void
  ) throws(LogError) -> LogStore {
    let (sequences, hasForeignFiles) = try SegmentFiles.list(directory, in: fileSystem)
    guard !sequences.isEmpty else { throw noLog(directory, hasForeignFiles: hasForeignFiles) }
    var survey = SegmentSurvey(directory, in: fileSystem, isWriting: false)
    try survey.run(sequences, from: position)
    guard let first = survey.found.first else {
      if position != nil { throw LogPosition.stale(directory) }
      throw survey.damage ?? noLog(directory, hasForeignFiles: false)
    }
    var opener = try LogOpener(survey, options: options, from: position)
    try opener.run(visit)
    return LogStore(
      storeUUID: first.header.storeUUID, recovery: opener.report, directory: directory, published: Published(opener),
      cacheBytesMax: options.cacheBytesMax, writer: nil)
  }

  private static func openToWrite(
    _ directory: String, _ fileSystem: any FileSystem, _ options: Options, _ position: LogPosition?,
    _ visit: (borrowing RecordReader) throws -> Void
  ) throws(LogError) -> LogStore {
    try prepare(directory, fileSystem)
    let lockPath = SegmentFiles.path(directory, SegmentFiles.lockName)
    let lock = try doing("Locking the log") { () throws(FileError) in try fileSystem.lock(lockPath) }
    do throws(LogError) {
      return try openLocked(directory, fileSystem, options, position, lock, visit)
    } catch {
      lock.release()
      throw error
    }
  }

  /// Makes the directory, or makes sure that it is a log's, before anything is put there.
  private static func prepare(_ directory: String, _ fileSystem: any FileSystem) throws(LogError) {
    let exists = try doing("Opening the log") { () throws(FileError) in try fileSystem.exists(directory) }
    guard exists else {
      try doing("Creating the log") { () throws(FileError) in
        try fileSystem.createDirectory(directory)
        try syncParent(of: directory, fileSystem)
      }
      return
    }
    let (sequences, hasForeignFiles) = try SegmentFiles.list(directory, in: fileSystem)
    if sequences.isEmpty, hasForeignFiles { throw noLog(directory, hasForeignFiles: true) }
  }

  private static func openLocked(
    _ directory: String, _ fileSystem: any FileSystem, _ options: Options, _ position: LogPosition?,
    _ lock: any FileLock, _ visit: (borrowing RecordReader) throws -> Void
  ) throws(LogError) -> LogStore {
    // Listed again: what was there before we had the lock may have changed.
    let (sequences, _) = try SegmentFiles.list(directory, in: fileSystem)
    var survey = SegmentSurvey(directory, in: fileSystem, isWriting: true)
    try survey.run(sequences, from: position)
    guard let first = survey.found.first else {
      if position != nil { throw LogPosition.stale(directory) }
      if let damage = survey.damage { throw damage }
      return try create(directory, fileSystem, options, lock, uuid: options.createUUID())
    }
    var opener = try LogOpener(survey, options: options, from: position)
    try opener.run(visit)
    if !options.faults.keepsTornTail { keepTail(opener, directory, fileSystem) }
    let uuid = first.header.storeUUID
    // A segment without a record may be one whose header never became durable: the next append makes it anew.
    let isEmpty = opener.endBytes == UInt64(FormatLimits.segmentHeaderBytes)
    if isEmpty, opener.segments.count == 1 { return try create(directory, fileSystem, options, lock, uuid: uuid) }
    if isEmpty { try drop(&opener) }
    let start = try settle(&opener, directory, fileSystem, options, isEmpty: isEmpty)
    let writer = LogWriter(
      start, directory: directory, fileSystem: fileSystem, options: options, storeUUID: uuid, lock: lock)
    return LogStore(
      storeUUID: uuid, recovery: opener.report, directory: directory, published: Published(opener),
      cacheBytesMax: options.cacheBytesMax, writer: writer)
  }

  private static func keepTail(_ opener: LogOpener, _ directory: String, _ fileSystem: any FileSystem) {
    guard opener.report.tornBytes > 0, let location = opener.report.tornLocation, let last = opener.survey.found.last
    else { return }
    let bytes = last.image.bytes.slice(Int(location.offsetBytes), Int(opener.report.tornBytes))
    TornTailKeeper.keep(bytes, at: location, directory, fileSystem)
  }

  /// Empties a last segment without records, durably: one that failed to be written must not come back.
  private static func drop(_ opener: inout LogOpener) throws(LogError) {
    let file = opener.survey.found[opener.segments.count - 1].file
    try doing("Recovering the log") { () throws(FileError) in
      try file.truncate(to: 0)
      try file.sync()
    }
    opener.dropLastSegment()
  }

  /// Cuts a torn tail and makes durable what is taken over from a process that died. Its last record may be only in
  /// the system's cache, and if a sync failed, the system may believe that it is not: so that record is written again,
  /// with the same bytes. Those before it are durable, or it would not have been written.
  private static func settle(
    _ opener: inout LogOpener, _ directory: String, _ fileSystem: any FileSystem, _ options: Options, isEmpty: Bool
  ) throws(LogError) -> LogWriter.Start {
    let place = opener.segments.count - 1
    let segment = opener.segments[place]
    let end = opener.endBytes
    let isClean = opener.report.closedCleanly && opener.survey.unfinishedPath == nil
    let tornBytes = options.faults.keepsTornTail || isEmpty ? 0 : opener.report.tornBytes
    let survey = opener.survey
    let last = survey.found[place]
    let lastRecord = last.image.bytes.slice(Int(opener.lastRecordBytes), Int(end - opener.lastRecordBytes))
    let (file, size) = try doing("Recovering the log") { () throws(FileError) in
      // All but the last in the directory were opened to be read.
      let isBehindAnother = isEmpty || survey.unfinishedPath != nil
      let file = isBehindAnother ? try fileSystem.open(last.path, .readWrite) : last.file
      if tornBytes > 0 { try file.truncate(to: end) }
      if !isClean, !options.faults.keepsUnsyncedTail { try file.write(lastRecord, at: opener.lastRecordBytes) }
      // Even behind a clean end: a record that failed may have been cut off since, and that must last.
      try file.sync()
      if !isClean {
        try fileSystem.syncDirectory(directory)
        try syncParent(of: directory, fileSystem)
      }
      return (file, try file.size())
    }
    for sealed in opener.segments where sealed !== segment { sealed.seal() }
    return LogWriter.Start(
      segment: segment, file: file, end: end, allocated: max(size, end), chain: opener.chain,
      lastNumber: opener.lastNumber, isSealed: opener.isSealed,
      closingMark: isClean ? Array(lastRecord) : nil)
  }

  private static func create(
    _ directory: String, _ fileSystem: any FileSystem, _ options: Options, _ lock: any FileLock, uuid: UUID
  ) throws(LogError) -> LogStore {
    let header = SegmentHeader(
      storeUUID: uuid, sequence: 1, firstNumber: 1, previousHash: SegmentHeader.chainStart(of: uuid))
    let (segment, file) = try doing("Creating the log") { () throws(FileError) in
      // The directory may have been made by a process that died before its name was durable.
      try syncParent(of: directory, fileSystem)
      return try LogWriter.create(
        header, directory, fileSystem, skipsDirectorySync: options.faults.skipsDirectorySync)
    }
    let start = LogWriter.Start(
      segment: segment, file: file, end: segment.usedBytes, allocated: segment.usedBytes, chain: header.previousHash,
      lastNumber: 0, isSealed: false, closingMark: nil)
    let writer = LogWriter(
      start, directory: directory, fileSystem: fileSystem, options: options, storeUUID: uuid, lock: lock)
    return LogStore(
      storeUUID: uuid, recovery: RecoveryReport(), directory: directory, published: Published(first: segment),
      cacheBytesMax: options.cacheBytesMax, writer: writer)
  }

  private static func syncParent(of directory: String, _ fileSystem: any FileSystem) throws(FileError) {
    do throws(FileError) {
      try fileSystem.syncDirectory(SegmentFiles.parent(of: directory))
    } catch {
      // A parent that we may pass through but not read can't be synced, and was not made by us.
      if error.code != .permissionDenied { throw error }
    }
  }

  static func noLog(_ directory: String, hasForeignFiles: Bool) -> LogError {
    hasForeignFiles
      ? LogError(
        .notALog, "The directory holds other files and no log. Choose an empty or a new directory.", path: directory)
      : LogError(.missing, "There is no log here, or it is just being created.", path: directory)
  }
}

import FileSystem

import struct Foundation.UUID

/// The segments of a log with their headers checked: that they are all there, of one store, and of a version that we
/// know. Records have not been looked at.
struct SegmentSurvey {
  struct Found {
    let sequence: UInt64
    let path: String
    let file: any File
    var image: SegmentImage
    let header: SegmentHeader
  }

  private(set) var found: [Found] = []
  /// A last segment whose creation was cut short: it never held a record.
  private(set) var unfinishedPath: String?
  /// What is wrong behind the segments found.
  private(set) var damage: LogError?

  let directory: String
  let fileSystem: any FileSystem
  let isWriting: Bool

  init(_ directory: String, in fileSystem: any FileSystem, isWriting: Bool) {
    self.directory = directory
    self.fileSystem = fileSystem
    self.isWriting = isWriting
  }

  /// - Parameter position: Segments before its own are only looked for, not looked into.
  mutating func run(_ all: [UInt64], from position: LogPosition? = nil) throws(LogError) {
    let first = position?.segment ?? 1
    if let position {
      let before = all.prefix { $0 < first }
      guard position.sealed.map(\.sequence) == Array(before), all.contains(first) else {
        throw LogPosition.stale(directory)
      }
    }
    let sequences = all.drop { $0 < first }
    for (index, sequence) in sequences.enumerated() {
      let expected = UInt64(index) + first
      guard sequence == expected else {
        let path = SegmentFiles.path(directory, sequence: expected)
        damage = LogError(
          .damaged, "Segment \(expected) of the log is missing, and a later one is there. Put the file back.",
          path: path)
        return
      }
      let isLast = index == sequences.count - 1
      let start = sequence == position?.segment ? position?.recordOffsetBytes ?? 0 : 0
      guard try add(sequence, isLast: isLast, from: start) else { return }
    }
  }

  /// Returns false where the log can't be followed further.
  private mutating func add(_ sequence: UInt64, isLast: Bool, from start: UInt64) throws(LogError) -> Bool {
    let path = SegmentFiles.path(directory, sequence: sequence)
    let mode: FileOpenMode = isWriting && isLast ? .readWrite : .read
    let mayBeCut = !isWriting && isLast
    let fileSystem = self.fileSystem
    let (file, image) = try doing("Opening the log") { () throws(FileError) in
      let file = try fileSystem.open(path, mode)
      return (file, try SegmentImage(file, mayBeCut: mayBeCut, from: start))
    }
    let header: SegmentHeader
    do throws(SegmentHeader.Fault) {
      header = try SegmentHeader(image.bytes)
    } catch {
      // A header is synced before anything is written behind it, so a file no longer than one is a creation that was
      // cut short, and a longer one is damaged. So is what is left of a longer one.
      let isShort = image.bytes.count <= FormatLimits.segmentHeaderBytes
      if isLast, isShort, !SegmentWalk.hasRecordShapes(image.bytes) {
        unfinishedPath = path
      } else {
        damage = Self.damage(error, path: path)
      }
      return false
    }
    try Self.checkVersion(header, path: path, isWriting: isWriting)
    let isOurs = header.sequence == sequence && header.storeUUID == (found.first?.header.storeUUID ?? header.storeUUID)
    guard isOurs else {
      damage = LogError(
        .damaged, "The segment belongs to another log, or to another place in this one.", path: path, offsetBytes: 0)
      return false
    }
    found.append(Found(sequence: sequence, path: path, file: file, image: image, header: header))
    return true
  }

  mutating func replaceImage(_ index: Int, with image: SegmentImage) { found[index].image = image }

  static func damage(_ fault: SegmentHeader.Fault, path: String) -> LogError {
    switch fault {
    case .notAHeader:
      LogError(.damaged, "The file does not begin as a segment of a log does.", path: path, offsetBytes: 0)
    case .checksum(let expected, let found):
      LogError(
        .damaged, "The checksum of the segment's header differs.", path: path, offsetBytes: 0,
        expectedChecksum: expected, foundChecksum: found)
    }
  }

  private static func checkVersion(_ header: SegmentHeader, path: String, isWriting: Bool) throws(LogError) {
    let version = "\(header.majorVersion).\(header.minorVersion)"
    let ours = "\(FormatLimits.majorVersion).\(FormatLimits.minorVersion)"
    if header.majorVersion != FormatLimits.majorVersion || header.featuresToRead != 0 {
      throw LogError(
        .newerFormat, "The log has format \(version), which this version (\(ours)) can't read. Use a newer version.",
        path: path)
    }
    if isWriting, header.featuresToWrite != 0 {
      throw LogError(
        .newerFormat,
        "The log uses features that this version (\(ours)) can read but not write. Open it read-only, or use a newer version.",
        path: path)
    }
  }
}

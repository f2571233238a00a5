import FileSystem

import struct Foundation.UUID
import typealias Foundation.uuid_t

/// Whose log it is, found out even where a segment's header is damaged: the checksums of record headers are seeded with
/// the UUID, so a wrong guess is not believed.
enum IdentityGuess {
  static func uuid(of sequences: [UInt64], _ directory: String, _ fileSystem: any FileSystem) -> UUID? {
    var starts: [(sequence: UInt64, image: SegmentImage)] = []
    for sequence in sequences {
      let path = SegmentFiles.path(directory, sequence: sequence)
      guard let file = try? fileSystem.open(path, .read) else { continue }
      defer { try? file.close() }
      let count = FormatLimits.segmentHeaderBytes + FormatLimits.recordHeaderBytes
      guard let image = try? SegmentImage(file, at: 0, byteCount: count) else { continue }
      if let header = try? SegmentHeader(image.bytes) { return header.storeUUID }
      if image.bytes.count == count { starts.append((sequence, image)) }
    }
    for start in starts {
      let damaged = SegmentHeader(unchecked: start.image.bytes).storeUUID
      for uuid in [damaged] + neighbours(of: damaged) where proves(uuid, start.sequence, start.image) { return uuid }
    }
    return nil
  }

  private static func proves(_ uuid: UUID, _ sequence: UInt64, _ image: SegmentImage) -> Bool {
    let seed = SegmentHeader.seed(of: uuid, sequence: sequence)
    return (try? RecordHeader(image.bytes, at: FormatLimits.segmentHeaderBytes, seed: seed)) != nil
  }

  /// Those that differ in one byte.
  private static func neighbours(of uuid: UUID) -> [UUID] {
    let bytes = SegmentHeader.bytes(of: uuid)
    var found: [UUID] = []
    for index in bytes.indices {
      for change in UInt8(1)...255 {
        var other = bytes
        other[index] ^= change
        found.append(other.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
      }
    }
    return found
  }
}

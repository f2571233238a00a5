import Glibc

/// A file's bytes twice: as programs see them, and as they would be found after a power cut.
final class SimulatedNode: @unchecked Sendable {
  // unsafe: used only under the lock of the disk that it belongs to.
  enum Change {
    case write(offset: Int, bytes: [UInt8])
    case resize(Int)
  }

  /// What programs see.
  private(set) var current: [UInt8] = []
  /// What is on the medium for sure.
  private(set) var durable: [UInt8] = []
  /// What was done since, in order.
  private(set) var pending: [Change] = []

  init() {}

  /// A file as a machine finds it when it starts.
  init(durable: [UInt8]) {
    current = durable
    self.durable = durable
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard offset < current.count, let target = buffer.baseAddress else { return 0 }
    let count = min(buffer.count, current.count - offset)
    current.withUnsafeBytes { source in
      if let from = source.baseAddress { memcpy(target, from + offset, count) }
    }
    return count
  }

  func write(_ bytes: [UInt8], at offset: Int) {
    Self.apply(.write(offset: offset, bytes: bytes), to: &current)
    pending.append(.write(offset: offset, bytes: bytes))
  }

  func resize(to size: Int) {
    Self.apply(.resize(size), to: &current)
    pending.append(.resize(size))
  }

  func sync() {
    for change in pending { Self.apply(change, to: &durable) }
    pending.removeAll(keepingCapacity: true)
  }

  /// What Linux does: the pages count as clean from now on, whether they reached the medium or not.
  func failSync(_ random: inout SeededGenerator) {
    for change in pending where random.oneIn(2) { Self.apply(change, to: &durable) }
    pending.removeAll(keepingCapacity: true)
  }

  func flip(byte: Int, bit: Int) {
    if current.indices.contains(byte) { current[byte] ^= 1 << UInt8(bit & 7) }
    if durable.indices.contains(byte) { durable[byte] ^= 1 << UInt8(bit & 7) }
  }

  static func apply(_ change: Change, to bytes: inout [UInt8]) {
    switch change {
    case .resize(let size):
      if size < bytes.count {
        bytes.removeLast(bytes.count - size)
      } else if size > bytes.count {
        bytes.append(contentsOf: repeatElement(0, count: size - bytes.count))
      }
    case .write(let offset, let new):
      let end = offset + new.count
      if offset == bytes.count { return bytes.append(contentsOf: new) }
      if end > bytes.count { bytes.append(contentsOf: repeatElement(0, count: end - bytes.count)) }
      new.withUnsafeBytes { source in
        bytes.withUnsafeMutableBytes { target in
          if let from = source.baseAddress, let to = target.baseAddress { memcpy(to + offset, from, new.count) }
        }
      }
    }
  }

  // MARK: After a power cut

  static let sectorBytes = 512

  /// What a machine finds: all that was synced, and of the rest anything: sectors new, old, torn, or (in an image with
  /// garbage) full of nonsense; sizes old, new or in between. Bytes that had been synced and were not written since
  /// are never harmed, not even in a sector that is half new.
  func image(_ random: inout SeededGenerator, garbage: Bool) -> [UInt8] {
    guard !pending.isEmpty else { return durable }
    var image = durable
    let style = random.below(4)
    for change in pending {
      switch change {
      case .resize:
        if style == 0 || !random.oneIn(3) { Self.apply(change, to: &image) }
      case .write(let offset, let bytes):
        // Often everything or nothing arrives, and the interesting cases are in between.
        if style == 0 { Self.apply(change, to: &image) }
        if style >= 2 { scatter(offset, bytes, into: &image, &random, garbage: garbage) }
      }
    }
    if image.count > durable.count, random.oneIn(4) {
      image.removeLast(random.below(image.count - durable.count + 1))
    }
    return image
  }

  private func scatter(
    _ offset: Int, _ bytes: [UInt8], into image: inout [UInt8], _ random: inout SeededGenerator, garbage: Bool
  ) {
    var start = offset
    let end = offset + bytes.count
    while start < end {
      let sectorEnd = min((start / Self.sectorBytes + 1) * Self.sectorBytes, end)
      let count = sectorEnd - start
      var part = Array(bytes[start - offset..<sectorEnd - offset])
      switch random.below(garbage && isBlank(start..<sectorEnd) ? 5 : 4) {
      case 0, 1: Self.apply(.write(offset: start, bytes: part), to: &image)
      case 2:
        // The size of the file may have grown for it all the same.
        if random.oneIn(2), image.count < sectorEnd { Self.apply(.resize(sectorEnd), to: &image) }
      case 3:
        part.removeLast(count - random.below(count))
        if !part.isEmpty { Self.apply(.write(offset: start, bytes: part), to: &image) }
      default:
        for index in part.indices { part[index] = UInt8(truncatingIfNeeded: random.next()) }
        Self.apply(.write(offset: start, bytes: part), to: &image)
      }
      start = sectorEnd
    }
  }

  /// Whether nothing was ever durable there. Where something was, a disk keeps it or what replaces it, sector by sector;
  /// only new blocks may hold anything.
  private func isBlank(_ range: Range<Int>) -> Bool {
    durable[range.clamped(to: durable.indices)].allSatisfy { $0 == 0 }
  }
}

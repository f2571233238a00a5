import Glibc
import LogStore

/// Blocks by number, most of them absent. Memory that nobody touched costs nothing, however many numbers there are.
final class BlockSlots: @unchecked Sendable {
  // unsafe: used under its owner's lock. A slot is zero, or a block, retained.
  private var slots: UnsafeMutablePointer<UInt>
  private var capacity: Int
  private(set) var count: Int

  init(count: Int) {
    self.count = count
    capacity = max(count, 16)
    slots = Self.zeroed(capacity)
  }

  deinit {
    for number in 0..<count where slots[number] != 0 { self[number] = nil }
    free(slots)
  }

  private static func zeroed(_ count: Int) -> UnsafeMutablePointer<UInt> {
    guard let memory = calloc(count, 8) else { fatalError("There is no memory for a table of \(count) blocks.") }
    return memory.bindMemory(to: UInt.self, capacity: count)
  }

  subscript(number: Int) -> Block? {
    get {
      guard let block = UnsafeRawPointer(bitPattern: slots[number]) else { return nil }
      return Unmanaged<Block>.fromOpaque(block).takeUnretainedValue()
    }
    set {
      let old = slots[number]
      slots[number] = newValue.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0
      if let block = UnsafeRawPointer(bitPattern: old) { Unmanaged<Block>.fromOpaque(block).release() }
    }
  }

  func grow(to newCount: Int) {
    if newCount > capacity {
      let wider = Self.zeroed(max(newCount, capacity * 2))
      wider.update(from: slots, count: count)
      free(slots)
      slots = wider
      capacity = max(newCount, capacity * 2)
    }
    count = max(count, newCount)
  }
}

internal import Foundation
internal import Glibc

/// Objects by key, not kept alive: open addressing over 64-bit keys.
///
/// Used under its owner's lock. An object that is being destroyed on another thread while it is looked up is not
/// handed out.
struct IdentityTable: ~Copyable {
  private struct Entry {
    var key: UInt64
    // unsafe: not retained; the object's deinit removes the entry, under the same lock.
    var object: UnsafeRawPointer?
  }

  private var entries: UnsafeMutablePointer<Entry>
  private var capacity = 16
  private(set) var count = 0

  init() {
    entries = .allocate(capacity: 16)
    entries.initialize(repeating: Entry(key: 0, object: nil), count: 16)
  }

  deinit { entries.deallocate() }

  /// What stands for an object in `insert` and `remove`: a number, since objects can't be passed into a lock.
  static func address(of object: NSManagedObject) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
  }

  func object(for key: UInt64) -> NSManagedObject? {
    let place: Int = find(key)
    guard let pointer = entries[place].object else { return nil }
    return Self.retain(pointer)
  }

  /// Adds an object, in place of one that is being destroyed if need be.
  mutating func insert(_ address: UInt, for key: UInt64) {
    if (count + 1) * 4 > capacity * 3 { grow() }
    let place: Int = find(key)
    if entries[place].object == nil { count += 1 }
    entries[place] = Entry(key: key, object: UnsafeRawPointer(bitPattern: address))
  }

  /// Removes an object; another one of the same key stays.
  mutating func remove(_ address: UInt, for key: UInt64) {
    var hole: Int = find(key)
    guard entries[hole].object == UnsafeRawPointer(bitPattern: address) else { return }
    count -= 1
    let mask: Int = capacity - 1
    var next: Int = (hole + 1) & mask
    // Entries that were pushed past the hole move back, so that no search stops short of them.
    while entries[next].object != nil {
      let home: Int = self.home(entries[next].key)
      if (next - home) & mask >= (next - hole) & mask {
        entries[hole] = entries[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    entries[hole] = Entry(key: 0, object: nil)
  }

  func objects() -> [NSManagedObject] {
    var all: [NSManagedObject] = []
    all.reserveCapacity(count)
    for place in 0..<capacity {
      if let pointer = entries[place].object, let object = Self.retain(pointer) { all.append(object) }
    }
    return all
  }

  private func home(_ key: UInt64) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 20) & (capacity - 1)
  }

  /// Where the key is, or would go.
  private func find(_ key: UInt64) -> Int {
    let mask: Int = capacity - 1
    var place: Int = home(key)
    while entries[place].object != nil, entries[place].key != key { place = (place + 1) & mask }
    return place
  }

  private mutating func grow() {
    let old: UnsafeMutablePointer<Entry> = entries
    let oldCapacity: Int = capacity
    capacity *= 2
    entries = .allocate(capacity: capacity)
    entries.initialize(repeating: Entry(key: 0, object: nil), count: capacity)
    for place in 0..<oldCapacity where old[place].object != nil { entries[find(old[place].key)] = old[place] }
    old.deallocate()
  }

  private static func retain(_ pointer: UnsafeRawPointer) -> NSManagedObject? {
    guard let tryRetain = RuntimeRetain.function else {
      return Unmanaged<NSManagedObject>.fromOpaque(pointer).takeUnretainedValue()
    }
    return tryRetain(pointer).map { Unmanaged<NSManagedObject>.fromOpaque($0).takeRetainedValue() }
  }
}

/// The runtime's way to take hold of an object unless it is being destroyed. A `weak` reference would do the same, but
/// moves every object's counters out of line and makes each retain slower. Where the symbol can't be found (a program
/// linked without a dynamic symbol table) objects have to be released on their context's queue.
private enum RuntimeRetain {
  typealias Function = @convention(c) (UnsafeRawPointer) -> UnsafeRawPointer?
  static let function: Function? = dlsym(nil, "swift_tryRetain").map { unsafeBitCast($0, to: Function.self) }
}

/// Bytes of one row, or of many one after another, that rows can point into.
///
/// Filled once, by `RowLayout.encode`, then frozen by making rows of it.
public final class RowBuffer: @unchecked Sendable {
  // unsafe: rows are read through raw pointers (see Row); the buffer is written only before `row(at:)` hands one out.
  public private(set) var base: UnsafeMutableRawPointer
  public private(set) var count: Int = 0
  private var capacity: Int

  public init(capacityBytes: Int = 256) {
    capacity = max(64, capacityBytes)
    base = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit { base.deallocate() }

  public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  /// Forgets the contents and keeps the memory. Only while no row points into the buffer.
  public func removeAll() { count = 0 }

  /// Appends `bytes` zeroed bytes and returns where they start.
  func grow(by bytes: Int) -> Int {
    let start = count
    if start + bytes > capacity {
      capacity = max(capacity * 2, start + bytes)
      let bigger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
      bigger.copyMemory(from: base, byteCount: start)
      base.deallocate()
      base = bigger
    }
    (base + start).initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
    count += bytes
    return start
  }

  /// Appends a row that is already encoded and returns where it starts.
  public func append(_ row: UnsafeRawBufferPointer) -> Int {
    let start = grow(by: row.count)
    if let source = row.baseAddress { (base + start).copyMemory(from: source, byteCount: row.count) }
    return start
  }

  public func row(at offsetBytes: Int) -> Row { Row(base: base + offsetBytes, owner: self) }

  /// Stamps the version of the row at an offset: known only once the commit has its number.
  public func setVersion(_ version: UInt64, at offsetBytes: Int) {
    (base + offsetBytes).storeBytes(of: version.littleEndian, toByteOffset: 16, as: UInt64.self)
  }
}

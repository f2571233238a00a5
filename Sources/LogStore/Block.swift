/// A block's bytes, as they were given to `append`: mapped from the file, or unpacked into memory of its own.
/// They stay as long as the object does, start at a multiple of 16, and never change.
public final class Block: @unchecked Sendable {
  // unsafe: immutable memory, kept by `owner` or freed by `deinit`; only read.
  // Swift may let go of an object right after its last use, before that of a pointer taken from it: so this one is only
  // for code that keeps the block.
  package let bytes: UnsafeRawBufferPointer
  /// How many bytes there are.
  public var count: Int { bytes.count }
  /// As given to `append`.
  public let tag: UInt32
  /// Keeps memory that the block shares; a block without one has its own.
  private let owner: AnyObject?

  init(bytes: UnsafeRawBufferPointer, tag: UInt32, owner: AnyObject?) {
    self.bytes = bytes
    self.tag = tag
    self.owner = owner
  }

  /// Calls `body` with the bytes, which stay for as long as it runs.
  public func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    return try body(bytes)
  }

  /// A copy of the bytes.
  public func copy() -> [UInt8] { withBytes { Array($0) } }

  deinit {
    if owner == nil, let base = bytes.baseAddress { UnsafeMutableRawPointer(mutating: base).deallocate() }
  }

  /// What keeping the block costs: mapped memory belongs to the system.
  var costBytes: Int { (owner == nil ? bytes.count : 0) + 128 }
}

/// A block's bytes, as they were given to `append`: mapped from the file, or unpacked into memory of its own.
/// They stay as long as the object does, start at a multiple of 16, and never change.
public final class Block: @unchecked Sendable {
  // unsafe: immutable memory, kept by `owner` or freed by `deinit`; only read.
  public let bytes: UnsafeRawBufferPointer
  public let tag: UInt32
  private let owner: AnyObject?

  init(bytes: UnsafeRawBufferPointer, tag: UInt32, owner: AnyObject?) {
    self.bytes = bytes
    self.tag = tag
    self.owner = owner
  }

  deinit {
    if owner == nil, let base = bytes.baseAddress { UnsafeMutableRawPointer(mutating: base).deallocate() }
  }
}

import Bytes
import FileSystem
import LogStore
import Schema
import Synchronization

/// The pages of an open checkpoint: what the indexes were, read where it lies.
///
/// A page is compared with its checksum when somebody first wants it, so that opening does not read them all. One that
/// is damaged is made good from what the log says (`repair`), which takes time and loses nothing. Only when the log is
/// damaged too is `failure` set; then nothing that was found since may be believed.
final class PageFile: Sendable {
  static let pageBytes = 2048
  /// A page, its checksum, and eight bytes that are zero: the next page is as well aligned as this one.
  static let strideBytes = pageBytes + 16

  let path: String
  let pageCount: Int
  private let seed: UInt64
  // unsafe: immutable memory that `owner` keeps; `bytes` holds `pageCount` whole pages.
  private nonisolated(unsafe) let bytes: UnsafeRawBufferPointer
  private let owner: CheckpointImage

  private struct State {
    var repair: (@Sendable () throws(StoreError) -> CheckpointContents)?
    var repaired: CheckpointContents?
    var failure: StoreError?
    var damagedPages: Set<Int> = []
  }
  private let state = Mutex(State())
  private let hasFailed = Atomic(false)
  private let looks = Atomic(0)

  /// - Parameter bytes: The pages, one after the other.
  init(path: String, bytes: UnsafeRawBufferPointer, pageCount: Int, seed: UInt64, owner: CheckpointImage) {
    self.path = path
    self.bytes = bytes
    self.pageCount = pageCount
    self.seed = seed
    self.owner = owner
  }

  /// What a page's checksum is.
  static func checksum(_ page: UnsafeRawBufferPointer, number: Int, seed: UInt64) -> UInt64 {
    Checksum.xxh3_64(page, seed: seed &+ UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
  }

  /// A page whose checksum is right; `nil` when it isn't, or there is no such page.
  func page(_ number: Int) -> UnsafeRawPointer? {
    guard number >= 0, number < pageCount else { return nil }
    looks.add(1, ordering: .relaxed)
    let stride = UnsafeRawBufferPointer(rebasing: bytes[number * Self.strideBytes..<(number + 1) * Self.strideBytes])
    return Self.isWhole(stride, number: number, seed: seed) ? stride.baseAddress : nil
  }

  /// Whether a page and what is behind it is what was written as the page of a number.
  static func isWhole(_ stride: UnsafeRawBufferPointer, number: Int, seed: UInt64) -> Bool {
    let page = UnsafeRawBufferPointer(rebasing: stride[0..<pageBytes])
    let expected = UInt64(littleEndian: stride.load(fromByteOffset: pageBytes, as: UInt64.self))
    let reserved = stride.load(fromByteOffset: pageBytes + 8, as: UInt64.self)
    return checksum(page, number: number, seed: seed) == expected && reserved == 0
  }

  /// Says how to make good what is damaged, once the log is open.
  func setRepair(_ repair: @escaping @Sendable () throws(StoreError) -> CheckpointContents) {
    state.withLock { $0.repair = repair }
  }

  /// What the pages should hold, worked out from the log; `nil` after a failure. The first call costs a replay.
  func repaired(because page: Int) -> CheckpointContents? {
    state.withLock { state in
      state.damagedPages.insert(page)
      if let repaired = state.repaired { return repaired }
      guard state.failure == nil else { return nil }
      do throws(StoreError) {
        guard let repair = state.repair else {
          throw StoreError(.damaged, "A page of a checkpoint is damaged.", path: path)
        }
        let contents = try repair()
        state.repaired = contents
        return contents
      } catch {
        state.failure = error
        hasFailed.store(true, ordering: .releasing)
        return nil
      }
    }
  }

  /// How often a page was looked at: what opening costs.
  var lookCount: Int { looks.load(ordering: .relaxed) }

  /// Pages that were found damaged so far.
  var damagedPageCount: Int { state.withLock { $0.damagedPages.count } }

  /// What keeps the indexes from being believed, if anything. Costs a load when nothing does.
  var failure: StoreError? {
    guard hasFailed.load(ordering: .acquiring) else { return nil }
    return state.withLock { $0.failure }
  }
}

/// What a checkpoint says, as it is worked out from the log.
struct CheckpointContents: Sendable {
  var root: StoreRoot
  var addresses: [BlockAddress]
}

/// A checkpoint's file in memory: mapped where that is possible, else read.
final class CheckpointImage: @unchecked Sendable {
  // unsafe: memory that is never written to after `init` and lives as long as the object.
  let bytes: UnsafeRawBufferPointer
  private let map: MappedFile?
  private let copy: UnsafeMutableRawBufferPointer?

  init(_ file: any File) throws(FileError) {
    let size = try file.size()
    if let map = try file.map(), UInt64(map.bytes.count) >= size {
      self.map = map
      copy = nil
      bytes = UnsafeRawBufferPointer(rebasing: map.bytes[0..<Int(size)])
      return
    }
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(Int(size), 16), alignment: 16)
    map = nil
    copy = memory
    do throws(FileError) {
      let count = try file.read(at: 0, into: UnsafeMutableRawBufferPointer(rebasing: memory[0..<Int(size)]))
      bytes = UnsafeRawBufferPointer(rebasing: memory[0..<count])
    } catch {
      memory.deallocate()
      throw error
    }
  }

  deinit { copy?.deallocate() }
}

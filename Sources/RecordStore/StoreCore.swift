import LogStore
import Schema
import Synchronization

/// What all views of a store share: what it keeps and where its blocks are.
final class StoreCore: Sendable {
  let plan: StorePlan
  let stored: StoredSchema
  let log: LogStore
  let blocks: BlockTable
  /// The checkpoint that the indexes were taken from, if they were.
  let pages: PageFile?

  init(stored: StoredSchema, log: LogStore, blocks: BlockTable, pages: PageFile? = nil) {
    self.stored = stored
    self.pages = pages
    plan = StorePlan(schema: stored.schema, entityNumbers: stored.entityNumbers)
    self.log = log
    self.blocks = blocks
  }

  /// Throws when what was found in the indexes must not be believed: a page of the checkpoint is damaged, and so is the
  /// log that it could be worked out from.
  @inline(__always)
  func checkIndexes() throws(StoreError) {
    if let failure = pages?.failure { throw failure }
  }
}

/// The store's blocks by number: numbers are given in the order of the log, so that eight bytes can say where a row is.
///
/// It only grows, and a view knows no block that came after it: all views share one.
final class BlockTable: Sendable {
  private struct State {
    var addresses: BlockAddresses
    /// Blocks at hand, by number.
    var cached: BlockSlots
    /// Numbers of the blocks at hand, oldest first from `next` on: a ring.
    var ring: [Int] = []
    var next = 0
  }
  private let log: LogStore
  private let state: Mutex<State>
  private let cachedMax: Int

  init(log: LogStore, addresses: BlockAddresses, cacheBytesMax: Int) {
    self.log = log
    cachedMax = max(16, cacheBytesMax / TransactionRecord.blockBytesMax)
    state = Mutex(State(addresses: addresses, cached: BlockSlots(count: addresses.count)))
  }

  /// The addresses of all blocks that there are now.
  var addresses: BlockAddresses { state.withLock { $0.addresses } }

  var count: Int { state.withLock { $0.addresses.count } }

  /// Where a block is in the log.
  func address(of number: Int) -> BlockAddress? {
    state.withLock { number < $0.addresses.count ? $0.addresses[number] : nil }
  }

  func append(_ addresses: [BlockAddress]) {
    state.withLock { state in
      for address in addresses { state.addresses.append(address) }
      state.cached.grow(to: state.addresses.count)
    }
  }

  /// A block's bytes. One at hand costs a lock that nobody holds for long.
  func block(_ number: Int) throws(StoreError) -> Block {
    let found = state.withLock { state in number < state.cached.count ? state.cached[number] : nil }
    if let found { return found }
    guard let address = state.withLock({ $0.addresses })[number] else {
      throw StoreError(.damaged, "The store's index points at block \(number), which the log does not have.")
    }
    let block: Block
    do throws(LogError) {
      block = try log.block(at: address)
    } catch {
      throw StoreError(error)
    }
    state.withLock { keep(block, number, &$0) }
    return block
  }

  private func keep(_ block: Block, _ number: Int, _ state: inout State) {
    guard state.cached[number] == nil else { return }
    state.cached[number] = block
    if state.ring.count < cachedMax {
      state.ring.append(number)
    } else {
      state.cached[state.ring[state.next]] = nil
      state.ring[state.next] = number
      state.next = (state.next + 1) % cachedMax
    }
  }

  /// The row at a place that was checked when the index that holds it was built.
  func row(at location: RowLocation) throws(StoreError) -> Row {
    let block = try block(location.block)
    return block.row(at: location.offsetBytes)
  }

  /// The row at a place that came from a file: checks that there is one, of the layout, with the key.
  func checkedRow(
    at location: RowLocation, key: ObjectKey, _ entity: EntityPlan, block: Block
  ) throws(StoreError) -> Row {
    let message: String
    if Int(block.tag) != entity.number {
      message = "it is in a block of entity \(block.tag)"
    } else if let fault = block.fault(at: location.offsetBytes, entity.layout) {
      message = fault
    } else {
      let row = block.row(at: location.offsetBytes)
      if row.key == key { return row }
      message = "the row there is of object \(row.key)"
    }
    throw StoreError(
      .damaged,
      "The row of object \(key), in block \(location.block) at byte \(location.offsetBytes), cannot be read: \(message). "
        + "Restore the store from a copy, or salvage what is whole with the inspector.")
  }
}

extension Block {
  // unsafe: places are checked once, when they come from a file; see `checkedRow`.
  func row(at offsetBytes: Int) -> Row {
    Row(base: bytes.baseAddress.unsafelyUnwrapped + offsetBytes, owner: self)
  }

  /// Whether a row of an object lies whole at an offset. What is in the row was checked when it was written, and the
  /// block has a checksum.
  func hasRow(of key: ObjectKey, at offsetBytes: Int) -> Bool {
    withBytes { bytes in
      guard offsetBytes >= 0, offsetBytes + RowLayout.headerBytes <= bytes.count else { return false }
      let length = Int(UInt32(littleEndian: bytes.load(fromByteOffset: offsetBytes, as: UInt32.self)))
      return length <= bytes.count - offsetBytes && length >= RowLayout.headerBytes && row(at: offsetBytes).key == key
    }
  }

  /// What is wrong with the row at an offset, if anything.
  func fault(at offsetBytes: Int, _ layout: RowLayout) -> String? {
    withBytes { bytes in
      guard offsetBytes >= 0, offsetBytes % 8 == 0, offsetBytes + RowLayout.headerBytes <= bytes.count else {
        return "byte \(offsetBytes) of a block of \(bytes.count) bytes is not the start of a row"
      }
      let length = Int(UInt32(littleEndian: bytes.load(fromByteOffset: offsetBytes, as: UInt32.self)))
      guard length <= bytes.count - offsetBytes else { return "the row at byte \(offsetBytes) goes past its block" }
      return layout.fault(in: UnsafeRawBufferPointer(rebasing: bytes[offsetBytes..<offsetBytes + length]))
    }
  }
}

import Bytes
import LogStore
import Schema
import StoreContract

/// A prepared commit as one record: who and what in the meta part, rows in blocks.
struct CommitRecord {
  let meta: [UInt8]
  /// Ranges of `rows`, one a block.
  let blocks: [(tag: UInt32, range: Range<Int>)]
  let rows: RowArena.Block
  /// Where rows lie, by position in the commit's list.
  let places: [RowLocation]
}

extension Commit {
  /// Whether there is anything to write.
  var isEmpty: Bool { pending.isEmpty && changes.metadata.isEmpty }

  /// Forgets changes of links to objects that are gone, and puts the rest in the order of keys, which keeps the objects
  /// of an entity together and makes their numbers short.
  mutating func arrange() {
    if pending.contains(where: { !$0.hasNew && !$0.hasOld }) {
      pending.removeAll { !$0.hasNew && !$0.hasOld }
    }
    var isSorted = true
    for index in pending.indices.dropFirst() where pending[index].key < pending[index - 1].key {
      isSorted = false
      break
    }
    if !isSorted { pending.sort { $0.key < $1.key } }
  }

  /// Lays the rows out in blocks and writes the list of changes.
  ///
  /// - Parameter firstBlock: the number that the store will give to the first of the blocks.
  func record(number: UInt64, firstBlock: Int, processID: Int32) -> CommitRecord {
    let rowBytes = pending.reduce(0) { $0 + ($1.new?.lengthBytes ?? 0) }
    let rows = RowArena.Block(count: rowBytes)
    var writer = ByteWriter(reserving: 128 + pending.count * 6)
    let header = TransactionRecord.Header(
      number: number, timestamp: changes.timestamp, author: changes.author, contextName: changes.contextName,
      processID: processID, metadata: changes.metadata.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    let sections = pending.chunked { $0.key.entityNumber }
    TransactionRecord.write(header, sectionCount: sections.count, to: &writer)
    var blocks: [(tag: UInt32, range: Range<Int>)] = []
    var places = [RowLocation](repeating: .none, count: pending.count)
    var end = 0
    for section in sections {
      let before = blocks.count
      let entityPlan = plan.entities[pending[section.lowerBound].entity]
      var list: [TransactionRecord.Change] = []
      list.reserveCapacity(section.count)
      for index in section {
        let change = pending[index]
        var entry = TransactionRecord.Change(
          key: change.key, operation: change.operation, changedProperties: changedProperties(of: change),
          links: links(of: change))
        if let row = change.new {
          let length = row.lengthBytes
          if blocks.count == before
            || end + length - blocks[blocks.count - 1].range.lowerBound
              > TransactionRecord.blockBytesMax
          {
            blocks.append((UInt32(entityPlan.number), end..<end))
          }
          let start = blocks[blocks.count - 1].range.lowerBound
          rows.write(row, at: end, version: change.takesVersion ? number : row.version)
          entry.row = (blocks.count - 1, end - start)
          if change.operation != .delete {
            places[index] = RowLocation(block: firstBlock + blocks.count - 1, offsetBytes: end - start)
          }
          end += length
          blocks[blocks.count - 1].range = start..<end
        }
        list.append(entry)
      }
      TransactionRecord.writeSection(
        entityNumber: entityPlan.number, blockCount: blocks.count - before, changes: list[...],
        ordered: entityPlan.isOrdered, to: &writer)
    }
    return CommitRecord(meta: writer.bytes, blocks: blocks, rows: rows, places: places)
  }

  /// The state after the commit, once its rows have their places.
  func finishedRoot(number: UInt64, places: [RowLocation]) -> StoreRoot {
    var root = root
    for index in pending.indices {
      let change = pending[index]
      if change.operation == .delete {
        root.locations[change.entity].set(change.key.ordinal, .none, edit: edit)
      } else if places[index] != .none {
        root.locations[change.entity].set(change.key.ordinal, places[index], edit: edit)
      }
    }
    root.commitNumber = number
    return root
  }
}

extension RowArena {
  /// The rows of one record, one after another.
  final class Block {
    let bytes: UnsafeMutableRawBufferPointer

    init(count: Int) { bytes = .allocate(byteCount: max(count, 8), alignment: 16) }

    deinit { bytes.deallocate() }

    func write(_ row: Row, at offsetBytes: Int, version: UInt64) {
      // unsafe: the caller has added up the rows' lengths.
      let place = bytes.baseAddress.unsafelyUnwrapped + offsetBytes
      place.copyMemory(from: row.base, byteCount: row.lengthBytes)
      place.storeBytes(of: version.littleEndian, toByteOffset: 16, as: UInt64.self)
    }
  }
}

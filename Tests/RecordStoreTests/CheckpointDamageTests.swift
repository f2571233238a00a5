import FileSystem
import Foundation
import Schema
import SimulatedDisk
import StoreContract
import Testing

@testable import RecordStore

/// B088: a checkpoint that is missing, damaged, foreign, of another version or stale costs time, never data.
@Suite("Checkpoints that cannot be used")
struct CheckpointDamageTests {
  typealias Base = CheckpointTests

  private func checkpointPath(_ files: any FileSystem) throws -> String {
    "/library/" + (try #require(try Base.checkpoints(files).first))
  }

  @Test("Any flipped bit of a checkpoint is noticed, be it of its header, its directory or a page")
  func everyBit() throws {
    let files = MemoryFileSystem()
    _ = try Base.filled(files, steps: 6, checkpointAt: [5])
    let path = try checkpointPath(files)
    let whole = try Base.bytes(path, files)
    let copy = "/copy"
    let file = try files.open(copy, .createNew)
    func image(_ bytes: [UInt8]) throws -> CheckpointImage {
      try bytes.withUnsafeBytes { try file.write($0, at: 0) }
      return try CheckpointImage(file)
    }
    let checkpoint = try Checkpoint(path, try image(whole))
    let pagesEnd = CheckpointHeader.sizeBytes + checkpoint.pages.pageCount * PageFile.strideBytes
    for byte in Array(0..<CheckpointHeader.sizeBytes) + Array(pagesEnd..<whole.count) {
      for bit in 0..<8 {
        var damaged = whole
        damaged[byte] ^= 1 << UInt8(bit)
        #expect(throws: CheckpointFault.self) { _ = try Checkpoint(path, try image(damaged)) }
      }
    }
    // Pages by themselves, since nothing else looks at them.
    let stride = UnsafeMutableRawBufferPointer.allocate(byteCount: PageFile.strideBytes, alignment: 16)
    defer { stride.deallocate() }
    var missed = 0
    for page in 0..<checkpoint.pages.pageCount {
      let start = CheckpointHeader.sizeBytes + page * PageFile.strideBytes
      stride.copyBytes(from: whole[start..<start + PageFile.strideBytes])
      let seed = checkpoint.directory.position.hash
      for byte in 0..<PageFile.strideBytes {
        for bit in 0..<8 {
          stride[byte] ^= 1 << UInt8(bit)
          if PageFile.isWhole(UnsafeRawBufferPointer(stride), number: page, seed: seed) { missed += 1 }
          stride[byte] ^= 1 << UInt8(bit)
        }
      }
      #expect(PageFile.isWhole(UnsafeRawBufferPointer(stride), number: page, seed: seed))
      #expect(!PageFile.isWhole(UnsafeRawBufferPointer(stride), number: page + 1, seed: seed))
    }
    #expect(missed == 0)
  }

  @Test("Whatever page is damaged, the store opens and everything is found: the page is made good from the log")
  func everyPage() throws {
    let files = MemoryFileSystem()
    let model = try Base.filled(files, steps: 150, checkpointAt: [130])
    let path = try checkpointPath(files)
    let whole = try Base.bytes(path, files)
    let replayed = try Base.replayed(files)
    var repaired = 0
    for page in 0..<(whole.count - CheckpointHeader.sizeBytes) / PageFile.strideBytes {
      var damaged = whole
      damaged[CheckpointHeader.sizeBytes + page * PageFile.strideBytes + page % PageFile.strideBytes] ^= 4
      try Base.write(damaged, path, files)
      let store = try TestStore.open(files, options: Base.options(readOnly: true))
      try Base.expectSame(store, replayed)
      if page % 17 == 0 { try model.check(store.latest) }
      let count = store.core.pages?.damagedPageCount ?? 0
      repaired += count
      #expect(count == 1 || store.opening.ignoredCheckpoints.count == 1, "page \(page)")
    }
    #expect(repaired > 0)
  }

  @Test("Cut off anywhere, empty, of another version or another store, or without its log: it is not used, and says so")
  func unusable() throws {
    let files = MemoryFileSystem()
    let model = try Base.filled(files)
    let path = try checkpointPath(files)
    let whole = try Base.bytes(path, files)
    var cases: [[UInt8]] = [
      [], Array(whole.prefix(127)), Array(whole.prefix(whole.count / 2)), Array(whole.dropLast()),
    ]
    cases.append(whole + [0])
    for bytes in cases {
      try Base.write(bytes, path, files)
      let store = try TestStore.open(files, options: Base.options(readOnly: true))
      #expect(store.opening.checkpointNumber == nil)
      #expect(store.opening.ignoredCheckpoints.map(\.path) == [path])
      try model.check(store.latest)
    }
    // One of another store, under the right name.
    let others = MemoryFileSystem()
    var options = Base.options()
    options.createUUID = { UUID() }
    let other = try TestStore.open(others, options: options)
    let draft = Draft(other)
    try draft.insert(Library.tag)
    try draft.commit()
    try other.writeCheckpoint()
    try other.close()
    let foreign = try checkpointPath(others)
    try files.remove(path)
    try Base.copy(foreign, others, to: files)
    let store = try TestStore.open(files, options: Base.options(readOnly: true))
    #expect(store.opening.ignoredCheckpoints.map(\.path) == [foreign])
    #expect(store.opening.ignoredCheckpoints.first?.reason.contains("the log does not have") == true)
    try model.check(store.latest)
  }

  @Test(
    "A checkpoint is never believed against the log: not one that is ahead of it, nor of a log that went another way")
  func aheadOfTheLog() throws {
    let files = MemoryFileSystem()
    let older = try Base.filled(files, steps: 10, checkpointAt: [])
    let copy = MemoryFileSystem()
    try Base.copy(files, to: copy)
    // The store goes on and writes a checkpoint, which then lies beside the older log.
    let store = try TestStore.open(files, options: Base.options())
    for _ in 0..<5 {
      let draft = Draft(store)
      try draft.insert(Library.tag)
      try draft.commit()
    }
    try store.writeCheckpoint()
    try store.close()
    try Base.copy(try checkpointPath(files), files, to: copy)
    var again = try TestStore.open(copy, options: Base.options())
    #expect(again.opening.checkpointNumber == nil)
    #expect(again.opening.ignoredCheckpoints.count == 1)
    try older.check(again.latest)
    // It grows to the same number of records, which are others.
    for _ in 0..<5 {
      let draft = Draft(again)
      try draft.insert(Library.list)
      try draft.commit()
    }
    try again.close()
    again = try TestStore.open(copy, options: Base.options())
    #expect(again.opening.checkpointNumber == nil)
    #expect(try again.latest.all(Library.tag).count == older.tags.count)
    try again.latest.checkInvariants()
  }

  @Test("A damaged page of a damaged log is an error that says so, for reading and for writing, not a wrong answer")
  func bothDamaged() throws {
    let files = MemoryFileSystem()
    _ = try Base.filled(files, steps: 30, checkpointAt: [29])
    let path = try checkpointPath(files)
    var checkpoint = try Base.bytes(path, files)
    for page in 0..<(try Checkpoint(path, in: files)).pages.pageCount {
      checkpoint[128 + page * PageFile.strideBytes + 5] ^= 1
    }
    try Base.write(checkpoint, path, files)
    // Pages that opening looks at send it to the log; so only those below the roots are of interest here.
    let store = try TestStore.open(files, options: Base.options(readOnly: true))
    #expect(store.opening.checkpointNumber == nil)
    #expect(store.opening.ignoredCheckpoints.first?.reason == "a page of it is damaged")
    let pages = PageFile(
      path: path, bytes: UnsafeRawBufferPointer(start: nil, count: 0), pageCount: 0, seed: 0,
      owner: try CheckpointImage(try files.open(path, .read)))
    pages.setRepair { () throws(StoreError) in throw StoreError(.damaged, "The log is damaged too.") }
    let tree = TreePages(pages, .column(0), entryCount: 500, hasPayloads: false, firstPage: 0)
    #expect(SortedTree(tree).keys(major: 1).isEmpty)
    #expect(pages.failure?.message == "The log is damaged too.")
    let core = StoreCore(
      stored: store.core.stored, log: store.core.log, blocks: store.core.blocks, pages: pages)
    let view = RecordView(core: core, root: store.latest.root)
    #expect(throws: StoreError.self) { try view.all(Library.book) }
    #expect(throws: StoreError.self) { try view.row(for: ObjectKey(entityNumber: 1, ordinal: 1)) }
    #expect(throws: StoreError.self) { try core.checkIndexes() }
  }

  // Power cuts.

  private func run(_ disk: SimulatedDisk, skipsSync: Bool = false) throws -> (model: LibraryModel, finished: Int) {
    var random = SeededGenerator(seed: 3)
    var options = Base.options(1)
    options.checkpointFaults.skipsSync = skipsSync
    var model = LibraryModel()
    var finished = 0
    do {
      let store = try TestStore.open(disk, options: options)
      for step in 0..<8 {
        let draft = Draft(store)
        let next = try model.step(draft, &random)
        guard try draft.conflicts().isEmpty else { continue }
        model = next
        // In the background of this commit; waiting makes the order of operations the same every time.
        store.checkpoints.wait()
        if step % 4 == 3 {
          try store.writeCheckpoint()
          finished += 1
        }
      }
      try store.close()
    } catch {
      // The power is gone.
    }
    return (model, finished)
  }

  /// Opens what is left after a power cut; returns whether a checkpoint was used.
  private func check(_ disk: SimulatedDisk, _ model: LibraryModel) throws -> Bool {
    guard try disk.exists("/library"), let replayed = try? Base.replayed(disk) else { return false }
    let store = try TestStore.open(disk, options: Base.options())
    try Base.expectSame(store, replayed)
    let draft = Draft(store)
    try draft.insert(Library.everything)
    try draft.commit()
    try store.writeCheckpoint()
    try store.close()
    let again = try TestStore.open(disk, options: Base.options(readOnly: true))
    #expect(again.opening.checkpointNumber != nil)
    try again.latest.checkInvariants()
    return store.opening.checkpointNumber != nil && store.core.pages?.damagedPageCount == 0
  }

  @Test("Wherever the power goes while checkpoints are written, nothing is lost, and a finished one stays usable")
  func powerCuts() throws {
    let whole = SimulatedDisk(seed: 1)
    let (_, finished) = try run(whole)
    #expect(finished == 2)
    for operation in 1...whole.operationCount {
      let disk = SimulatedDisk(seed: 1)
      disk.plan.powerFailsAtOperation = operation
      let (model, finished) = try run(disk)
      let isUsed = try check(disk.powerCut(seed: UInt64(operation)), model)
      if finished > 0 { #expect(isUsed, "operation \(operation)") }
    }
  }

  @Test("A checkpoint that got its name before it was durable would be noticed: a seeded bug")
  func seededBug() throws {
    let whole = SimulatedDisk(seed: 1)
    _ = try run(whole, skipsSync: true)
    var unusable = 0
    for operation in stride(from: whole.operationCount / 2, through: whole.operationCount, by: 2) {
      let disk = SimulatedDisk(seed: 1)
      disk.plan.powerFailsAtOperation = operation
      let (model, finished) = try run(disk, skipsSync: true)
      if try !check(disk.powerCut(seed: UInt64(operation)), model), finished > 0 { unusable += 1 }
    }
    #expect(unusable > 0)
  }
}

import FileSystem
import Foundation
import Schema
import SimulatedDisk
import StoreContract
import Testing

@testable import RecordStore

@Suite("Power cuts and failing disks")
struct PowerCutTests {
  /// A store that small commits are made to until something fails; remembers the state after each acknowledged one.
  private struct Run {
    var states: [LibraryModel] = [LibraryModel()]
    /// The state that the commit in flight would have made.
    var inFlight: LibraryModel?
    var failure: StoreError?
  }

  /// Makes up to `commits` commits, until one fails.
  private func run(_ disk: SimulatedDisk, seed: UInt64, commits: Int) throws -> Run {
    var run = Run()
    var random = SeededGenerator(seed: seed)
    var options = RecordStoreOptions(segmentBytesMax: 4096)
    options.createUUID = { UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)) }
    do {
      let store = try TestStore.open(disk, options: options)
      for _ in 0..<commits {
        guard let model = run.states.last else { break }
        let draft = Draft(store)
        let next = try model.step(draft, &random)
        run.inFlight = next
        let before = store.latest
        do {
          if try draft.conflicts().isEmpty, !next.hasConflict { run.states.append(next) }
          run.inFlight = nil
        } catch let error as StoreError {
          #expect(store.latest === before, "a failed append changed the view")
          throw error
        }
      }
      try store.close()
    } catch let error as StoreError {
      run.failure = error
    }
    return run
  }

  /// What is on a disk must be the last acknowledged state, or the one in flight, whole.
  private func check(_ disk: SimulatedDisk, _ run: Run) throws {
    let store = try TestStore.open(disk)
    try store.latest.checkInvariants()
    let acknowledged = try #require(run.states.last)
    let state: LibraryModel
    if let inFlight = run.inFlight, try inFlight.isSame(as: store.latest), !inFlight.hasConflict {
      state = inFlight
    } else {
      state = acknowledged
    }
    try state.check(store.latest)
    // And it can be written to again.
    let draft = Draft(store)
    try draft.insert(Library.everything)
    try draft.commit()
    try store.close()
  }

  @Test(
    "Whenever the power goes, acknowledged commits are there, the one in flight is there whole or not at all",
    arguments: 0..<4)
  func powerCuts(seed: Int) throws {
    let whole = SimulatedDisk(seed: UInt64(seed))
    _ = try run(whole, seed: UInt64(seed), commits: 8)
    var random = SeededGenerator(seed: UInt64(seed) + 1000)
    for _ in 0..<10 {
      let disk = SimulatedDisk(seed: UInt64(seed))
      disk.plan.powerFailsAtOperation = Int.random(in: 1...whole.operationCount, using: &random)
      let cut = try run(disk, seed: UInt64(seed), commits: 8)
      for outcome in 0..<2 {
        try check(disk.powerCut(seed: UInt64(outcome) &+ random.next()), cut)
      }
    }
  }

  @Test(
    "Whatever operation fails, the view is unchanged, the error is typed, and what was acknowledged is there",
    arguments: 0..<1)
  func failures(seed: Int) throws {
    let whole = SimulatedDisk(seed: UInt64(seed))
    _ = try run(whole, seed: UInt64(seed), commits: 6)
    let failures: [FaultPlan.Failure] = [.inputOutput, .noSpace, .shortWrite]
    for operation in stride(from: 1, through: whole.operationCount, by: 3) {
      let disk = SimulatedDisk(seed: UInt64(seed))
      disk.plan.failingOperation = operation
      disk.plan.failure = failures[operation % 3]
      let failed = try run(disk, seed: UInt64(seed), commits: 6)
      if let failure = failed.failure { #expect(!failure.message.isEmpty) }
      try check(disk.powerCut(seed: UInt64(operation)), failed)
    }
  }

  @Test("After a failed sync nothing is written until the store is opened again; a full disk is told as such")
  func closedAfterFailure() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try TestStore.open(disk)
    let draft = Draft(store)
    try draft.insert(Library.tag)
    try draft.commit()
    disk.plan.failingOperation = disk.operationCount + 1
    disk.plan.failsFromThenOn = true
    let second = Draft(store)
    try second.insert(Library.tag)
    #expect(throws: StoreError.self) { try second.commit() }
    disk.plan = FaultPlan()
    let third = Draft(store)
    try third.insert(Library.tag)
    let refused = #expect(throws: StoreError.self) { try third.commit() }
    #expect(refused?.code == .closedAfterFailure)
    #expect(try store.latest.all(Library.tag).count == 1)
    disk.killProcess()
    #expect(try TestStore.open(disk).latest.all(Library.tag).count <= 2)

    let full = SimulatedDisk(seed: 2)
    full.plan.spaceBytesMax = 1 << 20
    do {
      let filling = try TestStore.open(full)
      for _ in 0..<1000 {
        let more = Draft(filling)
        // Random bytes, so that they can't be packed.
        var random = SeededGenerator(seed: 4)
        let bytes = Data((0..<40_000).map { _ in UInt8.random(in: 0...255, using: &random) })
        let binary = try #require(AttributeType.allCases.firstIndex(of: .binary))
        try more.insert(Library.everything, [binary: .data(bytes)])
        try more.commit()
      }
      Issue.record("the disk never became full")
    } catch let error as StoreError {
      #expect(error.code == .noSpace)
    }
  }
}

extension LibraryModel {
  /// Whether a view holds the same objects with the same values: enough to tell two neighbouring states apart.
  func isSame(as view: RecordView) throws -> Bool {
    guard try view.all(Library.work) == works.keys.sorted(), try view.all(Library.shelf) == shelves.keys.sorted(),
      try view.all(Library.tag) == tags.sorted(), try view.all(Library.list) == lists.keys.sorted()
    else { return false }
    for (key, work) in works {
      guard try view.value(key, Library.Work.pages) == .int(work.pages),
        try view.value(key, Library.Work.code) == work.code.map({ .string($0) }) ?? .null,
        try view.value(key, Library.Work.shelf) == work.shelf.map({ .object($0) }) ?? .null,
        try view.members(key, Library.Work.tags) == work.tags.sorted()
      else { return false }
    }
    for (list, entries) in lists {
      let order = entries.keys.sorted { (entries[$0]!, $0) < (entries[$1]!, $1) }
      guard try view.members(list, Library.List.entries) == order else { return false }
    }
    return true
  }
}

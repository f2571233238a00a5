import FileSystem
package import LogStore
import SimulatedDisk

import struct Foundation.UUID

/// One crash point: a log is written on a simulated disk until something goes wrong somewhere, is opened again, and is
/// compared with what had been acknowledged; several times over. All of it follows from the seed.
///
/// What must hold: a record whose append returned is there, whole and in its place; one whose append failed is there
/// whole or not at all; nothing else is there; and the log goes on from there.
package struct CrashWorkload {
  private var random: SeededGenerator
  private let seed: UInt64
  private let faults: LogFaults
  private var disk: SimulatedDisk
  private let segmentBytesMax: UInt64
  private let preallocateBytes: UInt64
  /// What was acknowledged or found.
  private var records: [ExpectedRecord] = []
  /// What failed last, and so may be there or not.
  private var inDoubt: ExpectedRecord?
  /// Why the log did not open.
  private var refusal: LogError?
  private var trace: ((String) -> Void)?

  package struct Violation: Error, CustomStringConvertible {
    package let seed: UInt64
    package let what: String
    package var description: String { "seed \(seed): \(what)" }
  }

  private enum Ending: CaseIterable {
    case powerCut
    case kill
    case close
    case fault
    case fullDisk
    case rot
  }

  private init(seed: UInt64, faults: LogFaults) {
    self.seed = seed
    self.faults = faults
    random = SeededGenerator(seed: seed)
    disk = SimulatedDisk(seed: random.next())
    segmentBytesMax = UInt64(600 + random.below(random.oneIn(2) ? 1500 : 12_000))
    preallocateBytes = UInt64(512 << random.below(4))
  }

  /// Tries one crash point.
  /// - Parameter trace: Is told what happens, to find out why a point failed.
  /// - Throws: A violation.
  package static func run(
    seed: UInt64, faults: LogFaults = LogFaults(), trace: ((String) -> Void)? = nil
  ) throws(Violation) {
    var workload = CrashWorkload(seed: seed, faults: faults)
    workload.trace = trace
    let lives = 1 + workload.random.below(3)
    for _ in 0..<lives { try workload.live() }
    try workload.checkSurvival()
  }

  // MARK: One life of the program

  private mutating func live() throws(Violation) {
    let ending = pickEnding()
    plan(ending)
    trace?("a life that ends with \(ending), plan \(disk.plan)")
    disk.recordsOperations = trace != nil
    let before = disk.operationCount
    if let log = try openExpectingFaults() {
      try append(log, ending)
      if ending == .close || ending == .rot { try close(log) }
    }
    traceOperations(before)
    try end(ending)
  }

  private func traceOperations(_ before: Int) {
    guard let trace else { return }
    for one in disk.operations where one.index > before { trace("  \(one)") }
    trace("  acknowledged \(records.count), in doubt \(inDoubt == nil ? 0 : 1)")
  }

  private mutating func pickEnding() -> Ending {
    switch random.below(16) {
    case 0...7: .powerCut
    case 8, 9: .kill
    case 10: .close
    case 11, 12, 13: .fault
    case 14: .fullDisk
    default: .rot
    }
  }

  private mutating func plan(_ ending: Ending) {
    var plan = FaultPlan()
    let soon = disk.operationCount + 1 + random.below(50)
    switch ending {
    case .powerCut:
      plan.powerFailsAtOperation = soon
    case .fault:
      plan.failingOperation = soon
      plan.failsFromThenOn = random.oneIn(3)
      plan.failure = random.oneIn(3) ? .noSpace : random.oneIn(2) ? .shortWrite : .inputOutput
    case .fullDisk:
      plan.spaceBytesMax = UInt64(random.below(20_000))
    case .kill, .close, .rot: break
    }
    disk.plan = plan
  }

  private func options(_ mode: LogStore.Options.Mode) -> LogStore.Options {
    let seed = self.seed
    var options = LogStore.Options(
      mode: mode, segmentBytesMax: segmentBytesMax, cacheBytesMax: 1 << 16, preallocateBytes: preallocateBytes,
      createUUID: { UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 0, 0, UInt8(truncatingIfNeeded: seed))) })
    options.faults = faults
    return options
  }

  /// Opens the log while something may go wrong: then it isn't open, and nothing else may have happened.
  private mutating func openExpectingFaults() throws(Violation) -> LogStore? {
    var found: [ExpectedRecord] = []
    let log: LogStore
    do throws(LogError) {
      log = try LogStore.open(directory, in: disk, options: options(.readWrite)) {
        found.append(try ExpectedRecord($0))
      }
    } catch {
      if error.code == .damaged { throw violation("an undamaged log is reported as damaged: \(error)") }
      refusal = error
      return nil
    }
    try compare(found, "opening")
    return log
  }

  private mutating func append(_ log: LogStore, _ ending: Ending) throws(Violation) {
    for _ in 0..<1 + random.below(10) {
      let (content, kind, expected) = ExpectedRecord.make(&random)
      let record: AppendedRecord
      do {
        record = try log.append(kind: kind) { _ in content }
      } catch let error as LogError {
        if error.code == .closedAfterFailure { continue }
        inDoubt = expected
        if ending == .kill || ending == .close { throw violation("append failed without a reason: \(error)") }
        continue
      } catch {
        throw violation("append threw \(error)")
      }
      inDoubt = nil
      records.append(expected)
      guard record.number == UInt64(records.count) else {
        throw violation("record \(records.count) got number \(record.number)")
      }
      if random.oneIn(4) { try read(log, record, expected) }
    }
  }

  /// What was appended can be read at once, by its address. The disk may be failing by now.
  private func read(_ log: LogStore, _ record: AppendedRecord, _ expected: ExpectedRecord) throws(Violation) {
    for (address, hash) in zip(record.blocks, expected.blocks) {
      let block: Block
      do throws(LogError) {
        block = try log.block(at: address)
      } catch {
        if error.code == .damaged { throw violation("a block just written is damaged: \(error)") }
        continue
      }
      if ExpectedRecord.hash(block) != hash { throw violation("a block reads differently from what was written") }
    }
  }

  private mutating func close(_ log: LogStore) throws(Violation) {
    do throws(LogError) { try log.close() } catch { throw violation("closing failed without a reason: \(error)") }
  }

  private mutating func end(_ ending: Ending) throws(Violation) {
    disk.plan = FaultPlan()
    switch ending {
    case .powerCut: disk = disk.powerCut(seed: random.next())
    case .kill, .close: disk.killProcess()
    case .fault, .fullDisk:
      trace?("  then power cut or kill")
      if random.oneIn(2) { disk = disk.powerCut(seed: random.next()) } else { disk.killProcess() }
    case .rot: try checkRot()
    }
  }

  // MARK: Checks

  /// A bit changes in a log that was closed: it is noticed, or nothing of what was acknowledged is missing.
  private mutating func checkRot() throws(Violation) {
    let rotten = disk.powerCut(seed: random.next())
    guard let names = try? rotten.list(directory) else { return }
    let segments = names.filter { $0.hasSuffix(".seg") }
    guard !segments.isEmpty else { return }
    let path = directory + "/" + segments[random.below(segments.count)]
    guard let size = try? rotten.open(path, .read).size(), size > 0 else { return }
    try? rotten.flipBit(path, byte: random.below(Int(size)), bit: random.below(8))
    var found: [ExpectedRecord] = []
    do throws(LogError) {
      _ = try LogStore.open(directory, in: rotten, options: options(.readWrite)) {
        found.append(try ExpectedRecord($0))
      }
    } catch {
      if error.code != .damaged { throw violation("rot was reported as something else: \(error)") }
      disk.killProcess()
      return
    }
    if found != records { throw violation("a changed bit lost \(records.count - found.count) records silently") }
    disk.killProcess()
  }

  /// In the end, all is there, and the log can be written again.
  private mutating func checkSurvival() throws(Violation) {
    if random.oneIn(4) { try checkReadOnly() }
    for _ in 0..<2 {
      guard let log = try openExpectingFaults() else {
        throw violation("the log does not open again: \(refusal.map { "\($0)" } ?? "")")
      }
      let (content, kind, expected) = ExpectedRecord.make(&random)
      do { try log.append(kind: kind) { _ in content } } catch { throw violation("the log does not go on: \(error)") }
      records.append(expected)
      disk = disk.powerCut(seed: random.next())
    }
    guard try openExpectingFaults() != nil else { throw violation("the log does not open at last") }
    if inDoubt != nil { throw violation("something was left in doubt") }
  }

  /// Readers and the checker see the same as a writer will, and write nothing.
  private func checkReadOnly() throws(Violation) {
    let copy = disk.powerCut(seed: 1)
    copy.recordsOperations = true
    var found: [ExpectedRecord] = []
    do {
      let log = try LogStore.open(directory, in: copy, options: options(.readOnly)) {
        found.append(try ExpectedRecord($0))
      }
      if let damage = log.recovery.damage { throw violation("a reader sees damage: \(damage)") }
      let report = try LogStore.verify(directory, in: copy)
      if let place = report.badPlaces.first { throw violation("the checker sees damage: \(place)") }
      if report.recordCount != UInt64(found.count) {
        throw violation("the checker counts \(report.recordCount) records")
      }
    } catch let error as LogError {
      if error.code != .missing { throw violation("reading failed: \(error)") }
    } catch {
      throw error as? Violation ?? violation("\(error)")
    }
    let verbs: Set<String> = Set(copy.operations.map(\.verb))
    let writing = verbs.subtracting(["open", "read", "list", "look up"])
    if !writing.isEmpty { throw violation("a reader did \(writing.sorted())") }
    if found.count < records.count { throw violation("a reader sees \(found.count) of \(records.count) records") }
  }

  /// What was found is what was acknowledged, and perhaps what was in doubt.
  private mutating func compare(_ found: [ExpectedRecord], _ when: String) throws(Violation) {
    if found.count < records.count {
      throw violation("\(when): \(records.count - found.count) acknowledged records of \(records.count) are lost")
    }
    for (index, record) in records.enumerated() where found[index] != record {
      throw violation("\(when): record \(index + 1) is not what was written")
    }
    let more = found.dropFirst(records.count)
    if more.count > 1 { throw violation("\(when): \(more.count) records are there that nobody wrote") }
    if let one = more.first {
      guard one == inDoubt else { throw violation("\(when): a record is there that nobody wrote") }
      records.append(one)
    }
    inDoubt = nil
    trace?("  \(when): found \(found.count)")
  }

  private var directory: String { "/log" }

  private func violation(_ what: String) -> Violation { Violation(seed: seed, what: what) }
}

extension ExpectedRecord {
  static func hash(_ block: Block) -> UInt64 { block.withBytes { checksum($0) } }
}

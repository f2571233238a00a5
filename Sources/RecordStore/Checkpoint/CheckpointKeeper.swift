import Dispatch
import FileSystem
import LogStore
import Schema
import Synchronization

/// Writes checkpoints when the log has grown enough behind the last one: in the background, from a state that never
/// changes, so that no commit waits. One is whole and durable before it has its name, and has it before older ones go.
final class CheckpointKeeper: Sendable {
  private struct State {
    /// Bytes of records behind the last checkpoint.
    var tailBytes: UInt64
    /// The record that the last checkpoint is as of, and its size.
    var number: UInt64
    var sizeBytes: UInt64
    var isWriting = false
  }

  private let directory: String
  private let fileSystem: any FileSystem
  private let tailBytesMax: UInt64
  private let faults: CheckpointFaults
  private let state: Mutex<State>
  private let group = DispatchGroup()

  /// A tail may always be as long as the checkpoint, so that not much more is written for checkpoints than for rows; but
  /// not longer than can be read in a tenth of a second.
  private static let tailBytesBound: UInt64 = 32 << 20
  /// What may stay behind the last checkpoint when a store is closed: read in a fraction of a millisecond.
  private static let closedTailBytesMax: UInt64 = 32 << 10

  /// - Parameters:
  ///   - checkpoint: the one that the store was opened from.
  ///   - tailBytes: of the records that were read behind it.
  init(
    directory: String, fileSystem: any FileSystem, options: RecordStoreOptions, checkpoint: Checkpoint?,
    tailBytes: UInt64
  ) {
    self.directory = directory
    self.fileSystem = fileSystem
    tailBytesMax = options.checkpointTailBytes
    faults = options.checkpointFaults
    state = Mutex(
      State(tailBytes: tailBytes, number: checkpoint?.number ?? 0, sizeBytes: checkpoint?.sizeBytes ?? 0))
  }

  /// Counts a record, and says whether it is time for a checkpoint. Then `writeInBackground` is to be called.
  func note(recordBytes: UInt64) -> Bool {
    state.withLock { state in
      state.tailBytes += recordBytes
      let limit = max(tailBytesMax, min(state.sizeBytes, Self.tailBytesBound))
      guard tailBytesMax > 0, state.tailBytes > limit, !state.isWriting else { return false }
      state.isWriting = true
      return true
    }
  }

  func writeInBackground(_ snapshot: CheckpointSnapshot) {
    group.enter()
    DispatchQueue.global(qos: .utility).async { [self] in
      do {
        try write { snapshot }
      } catch {
        // It is only a cache: when it can't be written, the next one is tried after as much again.
        state.withLock { $0.tailBytes = 0 }
      }
      state.withLock { $0.isWriting = false }
      group.leave()
    }
  }

  /// Gives up what `note` promised.
  func skip() { state.withLock { $0.isWriting = false } }

  /// Waits for one that is being written, so that the caller is the only one to write.
  func wait() { group.wait() }

  /// Whether a store that is closed should write one more: opening it would have more to read than it should.
  var isWantedAtClose: Bool {
    state.withLock { state in
      tailBytesMax > 0 && state.tailBytes > max(Self.closedTailBytesMax, state.sizeBytes / 256)
    }
  }

  /// - Parameter take: gives the state that the checkpoint is to be of.
  func write(_ take: () throws -> CheckpointSnapshot) throws {
    // What is counted while it is written is behind it.
    let tailBytes = state.withLock { $0.tailBytes }
    let snapshot = try take()
    let number = snapshot.position.number
    guard state.withLock({ $0.number }) != number else { return }
    let temporary = CheckpointFiles.path(directory, CheckpointFiles.temporaryName(number))
    let sizeBytes: UInt64
    do {
      let file = try fileSystem.open(temporary, .createNew)
      sizeBytes = try CheckpointWriter.write(snapshot, to: file)
      if !faults.skipsSync { try file.sync() }
      try file.close()
      try fileSystem.rename(temporary, to: CheckpointFiles.path(directory, CheckpointFiles.name(number)))
      try fileSystem.syncDirectory(directory)
    } catch {
      try? fileSystem.remove(temporary)
      throw error
    }
    state.withLock { state in
      state.number = number
      state.tailBytes -= min(tailBytes, state.tailBytes)
      state.sizeBytes = sizeBytes
    }
    removeOlder(than: number)
  }

  /// What is left of older ones does no harm.
  private func removeOlder(than number: UInt64) {
    for name in (try? fileSystem.list(directory)) ?? [] {
      let isOlder = CheckpointFiles.number(of: name).map { $0 < number } ?? CheckpointFiles.isTemporary(name)
      if isOlder { try? fileSystem.remove(CheckpointFiles.path(directory, name)) }
    }
  }
}

/// Deliberate mistakes, so that tests can show that they would be noticed. Nothing but tests sets any.
struct CheckpointFaults: Sendable {
  /// A checkpoint gets its name before it is durable.
  var skipsSync = false
}

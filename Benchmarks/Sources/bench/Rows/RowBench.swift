import Foundation

/// The storage workloads: rows of about 380 bytes through the store of rows, and through SQLite's C API, in one run.
final class RowBench {
  static let names = [
    "rows-batches", "rows-bulk", "rows-open", "rows-open-killed", "rows-read", "rows-range", "rows-contains",
    "rows-group", "rows-single",
    "rows-update", "rows-churn", "rows-delete",
  ]

  private let folder: URL
  private let options: Options
  private let count: Int
  private let words = Vocabulary()

  init(folder: URL, options: Options) {
    self.folder = folder
    self.options = options
    count = options.rowCount
  }

  private func makeEngines(_ part: String) throws -> (ours: AnnalsPosts, peer: SQLitePosts) {
    func path(_ engine: String) throws -> String {
      let url = folder.appendingPathComponent("\(part)-\(engine)")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      return url.path
    }
    return (try AnnalsPosts(folder: path("annals")), SQLitePosts(folder: try path("sqlite")))
  }

  func run() throws {
    if options.wants("rows-bulk") {
      let engines = try makeEngines("bulk")
      let posts = (1...count).map { Post($0, words) }
      compare("rows-bulk", engines, rounds: 1) {
        $0.insert(posts[...])
        return count
      }
      engines.ours.close()
      engines.peer.close()
    }
    var engines = try makeEngines("rows")
    fill(engines)
    if options.wants("rows-open-killed") { try openKilled(engines) }
    if options.wants("rows-open") { engines = try reopen(engines) }
    runReads(engines)
    runWrites(engines)
    engines.ours.close()
    engines.peer.close()
  }

  /// Batches of a thousand, made before the clock starts.
  private func fill(_ engines: (ours: AnnalsPosts, peer: SQLitePosts)) {
    var seconds = (ours: 0.0, peer: 0.0)
    var written = (ours: Int64(0), peer: Int64(0))
    for start in stride(from: 1, through: count, by: 1000) {
      let batch = (start..<min(start + 1000, count + 1)).map { Post($0, words) }
      for isOurs in [true, false] {
        let before = writtenBytes()
        let (taken, _) = measure { isOurs ? engines.ours.insert(batch[...]) : engines.peer.insert(batch[...]) }
        if isOurs { seconds.ours += taken } else { seconds.peer += taken }
        if isOurs { written.ours += writtenBytes() - before } else { written.peer += writtenBytes() - before }
      }
    }
    guard options.wants("rows-batches") else { return }
    var outcome = Outcome(work: "rows-batches", oursSeconds: seconds.ours, peerSeconds: seconds.peer)
    engines.peer.settle()
    outcome.counts = [
      ("rows", Int64(count)), ("ours_written_bytes", written.ours), ("peer_written_bytes", written.peer),
      ("ours_size_bytes", sizeOnDisk(engines.ours.path)), ("peer_size_bytes", sizeOnDisk(engines.peer.path)),
    ]
    outcome.printLine(json: options.json)
  }

  private func reopen(
    _ engines: (ours: AnnalsPosts, peer: SQLitePosts)
  ) throws -> (ours: AnnalsPosts, peer: SQLitePosts) {
    engines.ours.close()
    engines.peer.close()
    let (ours, opened) = try measure { try AnnalsPosts.open(engines.ours.path) }
    let (peer, _) = measure { SQLitePosts(folder: engines.peer.path).read([1]) }
    try opened.close()
    Outcome(work: "rows-open", oursSeconds: ours, peerSeconds: peer).printLine(json: options.json)
    return (try AnnalsPosts(folder: engines.ours.path), SQLitePosts(folder: engines.peer.path))
  }

  /// As a process that was killed leaves it: the files are copied while the store is open.
  private func openKilled(_ engines: (ours: AnnalsPosts, peer: SQLitePosts)) throws {
    func copy(_ path: String) throws -> String {
      let copied = path + "-killed"
      try FileManager.default.copyItem(atPath: path, toPath: copied)
      return copied
    }
    let (oursPath, peerPath) = (try copy(engines.ours.path), try copy(engines.peer.path))
    let (ours, opened) = try measure { try AnnalsPosts.open(oursPath) }
    let (peer, _) = measure { SQLitePosts(folder: peerPath).read([1]) }
    try opened.close()
    Outcome(work: "rows-open-killed", oursSeconds: ours, peerSeconds: peer).printLine(json: options.json)
    for path in [oursPath, peerPath] { try FileManager.default.removeItem(atPath: path) }
  }

  private func runReads(_ engines: (ours: AnnalsPosts, peer: SQLitePosts)) {
    var random = SplitMix(state: 7)
    let numbers = (0..<min(200_000, max(count, 50_000))).map { _ in 1 + Int(random.next() % UInt64(count)) }
    compare("rows-read", engines) { $0.read(numbers) }
    let lows = (0..<20).map { _ in Int(random.next() % UInt64(Post.viewsMax * 99 / 100)) }
    compare("rows-range", engines) { engine in
      lows.reduce(0) { $0 &+ engine.range($1, $1 + Post.viewsMax / 100) }
    }
    compare("rows-contains", engines) { $0.countContaining(Post.needle) }
    compare("rows-group", engines) { engine in
      engine.countByTag().enumerated().reduce(0) { $0 &+ ($1.offset + 1) &* $1.element }
    }
  }

  private func runWrites(_ engines: (ours: AnnalsPosts, peer: SQLitePosts)) {
    let singles = (1...1000).map { Post(count + $0, words) }
    compare("rows-single", engines, rounds: 1) { engine in
      for index in singles.indices { engine.insert(singles[index...index]) }
      return singles.count
    }
    compare("rows-update", engines, rounds: 1) { update($0, seed: 100) }
    compare("rows-churn", engines, rounds: 1) { engine in
      let changed = (1..<10).reduce(0) { $0 + update(engine, seed: 100 + UInt64($1)) }
      engine.settle()
      return changed
    }
    let doomed = (0..<count / 10).map { $0 * 10 + 3 }
    compare("rows-delete", engines, rounds: 1) { engine in
      for start in stride(from: 0, to: doomed.count, by: 1000) {
        engine.delete(doomed[start..<min(start + 1000, doomed.count)])
      }
      return doomed.count
    }
  }

  private func update(_ engine: any PostEngine, seed: UInt64) -> Int {
    var random = SplitMix(state: seed)
    let changes = (0..<count / 10).map { _ in
      let draw = random.next()
      return (
        number: 1 + Int(draw % UInt64(count)), views: Int(draw >> 20 % UInt64(Post.viewsMax)), score: Double(draw >> 40)
      )
    }
    for start in stride(from: 0, to: changes.count, by: 1000) {
      engine.update(changes[start..<min(start + 1000, changes.count)])
    }
    return changes.count
  }

  /// Both sides must find the same, or the figures mean nothing.
  private func compare(
    _ work: String, _ engines: (ours: AnnalsPosts, peer: SQLitePosts), rounds: Int = 3,
    _ body: (any PostEngine) -> Int
  ) {
    guard options.wants(work) else { return }
    let start = writtenBytes()
    let (peerSeconds, expected) = measure(rounds: rounds) { body(engines.peer) }
    let middle = writtenBytes()
    let (oursSeconds, found) = measure(rounds: rounds) { body(engines.ours) }
    guard found == expected else { fatalError("\(work): annals found \(found), sqlite \(expected)") }
    var outcome = Outcome(work: work, oursSeconds: oursSeconds, peerSeconds: peerSeconds)
    if rounds == 1 {
      outcome.counts = [
        ("ours_written_bytes", writtenBytes() - middle), ("peer_written_bytes", middle - start),
        ("ours_size_bytes", sizeOnDisk(engines.ours.path)), ("peer_size_bytes", sizeOnDisk(engines.peer.path)),
      ]
    }
    outcome.printLine(json: options.json)
  }
}

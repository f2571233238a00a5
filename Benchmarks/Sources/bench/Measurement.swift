import Dispatch
import Foundation

/// Seconds that a body takes, the best of some rounds, and what it returned the last time.
func measure<Result>(rounds: Int = 1, _ body: () throws -> Result) rethrows -> (seconds: Double, result: Result) {
  var best = Double.infinity
  var result: Result?
  for _ in 0..<rounds {
    let start = DispatchTime.now().uptimeNanoseconds
    let value = try body()
    best = min(best, Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9)
    result = value
  }
  return (best, result!)
}

/// Bytes that this process has caused to be written to storage so far.
func writtenBytes() -> Int64 {
  let text = (try? String(contentsOfFile: "/proc/self/io", encoding: .utf8)) ?? ""
  for line in text.split(separator: "\n") where line.hasPrefix("write_bytes:") {
    return Int64(line.split(separator: " ")[1]) ?? 0
  }
  return 0
}

/// Bytes that files take on the disk, a directory's with all in it.
func sizeOnDisk(_ path: String) -> Int64 {
  var status = stat()
  var total: Int64 = lstat(path, &status) == 0 ? Int64(status.st_blocks) * 512 : 0
  for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
    total += sizeOnDisk(path + "/" + name)
  }
  return total
}

/// One workload's figures, ours and those of what it is measured against.
struct Outcome {
  let work: String
  let oursSeconds: Double
  let peerSeconds: Double
  var peer = "sqlite"
  var counts: [(name: String, value: Int64)] = []

  var ratio: Double { oursSeconds / peerSeconds }

  func printLine(json: Bool) {
    if json {
      let counted = counts.map { ",\"\($0.name)\":\($0.value)" }.joined()
      print(
        "{\"work\":\"\(work)\",\"ours_s\":\(format(oursSeconds)),\"peer\":\"\(peer)\",\"peer_s\":\(format(peerSeconds)),"
          + "\"ratio\":\(format(ratio))\(counted)}")
    } else {
      let counted = counts.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
      let title = work.padding(toLength: 12, withPad: " ", startingAt: 0)
      print(
        "\(title) annals \(format(oursSeconds)) s, \(peer) \(format(peerSeconds)) s, ratio \(format(ratio))  \(counted)"
      )
    }
  }

  private func format(_ number: Double) -> String { String(format: "%.5f", number) }
}

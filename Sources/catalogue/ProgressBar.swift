import Foundation

/// A line on the terminal that fills as work is done. Says nothing when the output is not a terminal.
struct ProgressBar {
  let title: String
  let total: Int
  private let isTerminal: Bool
  private var shownPercent = -1

  init(title: String, total: Int) {
    self.title = title
    self.total = max(1, total)
    isTerminal = isatty(STDERR_FILENO) == 1
  }

  mutating func show(_ done: Int) {
    guard isTerminal else { return }
    let percent = min(100, done * 100 / total)
    guard percent != shownPercent else { return }
    shownPercent = percent
    let width = 40
    let filled = percent * width / 100
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    write("\r\(title) [\(bar)] \(percent) % of \(total)")
  }

  func finish() {
    if isTerminal { write("\n") }
  }

  private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}

/// Differences between two texts as `diff -u` prints them, for `patch` to apply.
public enum UnifiedDiff {
  private static let contextLines = 3

  private struct Line {
    let mark: Character
    let bytes: ArraySlice<UInt8>
  }

  /// The difference of one file; empty for equal texts.
  public static func text(path: String, from old: [UInt8], to new: [UInt8]) -> String {
    guard old != new else { return "" }
    let script = lines(from: old, to: new)
    var text = "--- \(path)\n+++ \(path)\n"
    var (oldLine, newLine) = (1, 1)
    var index = 0
    while index < script.count {
      guard let range = hunk(script, from: index) else { break }
      for line in script[index..<range.lowerBound] {
        if line.mark != "+" { oldLine += 1 }
        if line.mark != "-" { newLine += 1 }
      }
      let olds = script[range].count { $0.mark != "+" }
      let news = script[range].count { $0.mark != "-" }
      text += "@@ -\(span(oldLine, olds)) +\(span(newLine, news)) @@\n"
      for line in script[range] { append(line, to: &text) }
      oldLine += olds
      newLine += news
      index = range.upperBound
    }
    return text
  }

  private static func span(_ first: Int, _ count: Int) -> String {
    count == 1 ? "\(first)" : "\(count == 0 ? first - 1 : first),\(count)"
  }

  private static func append(_ line: Line, to text: inout String) {
    text.append(line.mark)
    text += String(decoding: line.bytes, as: UTF8.self)
    if line.bytes.last != UInt8(ascii: "\n") { text += "\n\\ No newline at end of file\n" }
  }

  /// The lines from an index on that make one hunk: changes, and what is between and around them.
  private static func hunk(_ script: [Line], from index: Int) -> Range<Int>? {
    guard let first = script[index...].firstIndex(where: { $0.mark != " " }) else { return nil }
    var last = first
    var next = first
    while next < script.count, next - last <= 2 * contextLines {
      if script[next].mark != " " { last = next }
      next += 1
    }
    return max(index, first - contextLines)..<min(script.count, last + 1 + contextLines)
  }

  private static func lines(from old: [UInt8], to new: [UInt8]) -> [Line] {
    let (olds, news) = (split(old), split(new))
    let difference = news.difference(from: olds)
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var script: [Line] = []
    var (a, b) = (0, 0)
    while a < olds.count || b < news.count {
      if removed.contains(a) {
        script.append(Line(mark: "-", bytes: olds[a]))
        a += 1
      } else if inserted.contains(b) {
        script.append(Line(mark: "+", bytes: news[b]))
        b += 1
      } else {
        script.append(Line(mark: " ", bytes: olds[a]))
        a += 1
        b += 1
      }
    }
    return script
  }

  /// Lines with what ends them.
  private static func split(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
      lines.append(bytes[start...index])
      start = index + 1
    }
    if start < bytes.count { lines.append(bytes[start...]) }
    return lines
  }
}

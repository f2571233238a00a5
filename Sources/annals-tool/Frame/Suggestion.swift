/// The candidate nearest to a mistyped word, when one is near enough to be meant.
func suggestion(for word: String, among candidates: [String]) -> String? {
  // A bound on both sides keeps a hostile argument from costing its square.
  let typed = Array(word.lowercased().prefix(64))
  var best: (candidate: String, distance: Int)?
  for candidate in candidates {
    let distance = editDistance(typed, Array(candidate.lowercased().prefix(64)))
    if distance < best?.distance ?? Int.max { best = (candidate, distance) }
  }
  guard let best, best.distance <= max(1, min(typed.count, best.candidate.count) / 2) else { return nil }
  return best.candidate
}

/// ", did you mean ‘log’?", or nothing.
func didYouMean(_ word: String, among candidates: [String]) -> String {
  suggestion(for: word, among: candidates).map { "; did you mean '\($0)'?" } ?? ""
}

/// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
private func editDistance(_ a: [Character], _ b: [Character]) -> Int {
  var rows: [[Int]] = Array(repeating: Array(repeating: 0, count: b.count + 1), count: a.count + 1)
  for i in 0...a.count { rows[i][0] = i }
  for j in 0...b.count { rows[0][j] = j }
  guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
  for i in 1...a.count {
    for j in 1...b.count {
      let replaced = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
      var distance = min(replaced, rows[i - 1][j] + 1, rows[i][j - 1] + 1)
      if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { distance = min(distance, rows[i - 2][j - 2] + 1) }
      rows[i][j] = distance
    }
  }
  return rows[a.count][b.count]
}

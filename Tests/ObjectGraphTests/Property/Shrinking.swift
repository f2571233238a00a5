/// Makes failing sequences short.
enum Shrinking {
  /// The shortest failing sequence that leaving out steps leads to.
  static func shortest<Step>(_ steps: [Step], _ isFailing: ([Step]) -> Bool) -> [Step] {
    var steps: [Step] = steps
    var size: Int = max(1, steps.count / 2)
    while true {
      var start: Int = 0
      var isSmaller = false
      while start < steps.count {
        var fewer: [Step] = steps
        fewer.removeSubrange(start..<min(start + size, steps.count))
        if isFailing(fewer) {
          steps = fewer
          isSmaller = true
        } else {
          start += size
        }
      }
      if size == 1, !isSmaller { return steps }
      size = max(1, size / 2)
    }
  }
}

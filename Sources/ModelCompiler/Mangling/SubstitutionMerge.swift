/// Joins a substitution with the one directly before it.
struct SubstitutionMerge {
  private static let repeatsMax = 2048

  /// Where the last substitution stands in the buffer, after its leading letter, and how long it is.
  private var position = 0
  private var size = 0
  private var repeats = 0
  private var isStandard = false

  /// Tries to fold `letter` into the substitution at the end of the buffer.
  /// - Returns: false when the caller has to append it whole; it is remembered as the last one in either case.
  mutating func tryMerge(_ letter: UInt8, isStandard: Bool, buffer: inout [UInt8]) -> Bool {
    if repeats > 0, repeats < Self.repeatsMax, buffer.count == position + size, self.isStandard == isStandard {
      let last = buffer[buffer.count - 1]
      if last == letter {
        repeats += 1
        buffer.removeSubrange(position...)
        buffer.append(contentsOf: "\(repeats)".utf8)
        buffer.append(letter)
        size = buffer.count - position
        return true
      }
      if !isStandard {
        position = buffer.count
        repeats = 1
        buffer[buffer.count - 1] = last + 32
        buffer.append(letter)
        size = 1
        return true
      }
    }
    position = buffer.count + 1
    size = 1
    repeats = 1
    self.isStandard = isStandard
    return false
  }
}

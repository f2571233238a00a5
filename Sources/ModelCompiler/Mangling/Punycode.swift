/// Swift's variant of Punycode (RFC 3492): digits are `a`–`z` and `A`–`J`, the delimiter is `_`.
enum Punycode {
  private static let base = 36
  private static let smallestThreshold = 1
  private static let largestThreshold = 26

  static func encode(_ text: String) -> String {
    let points: [Int] = text.unicodeScalars.map { Int($0.value) }
    var output: [UInt8] = points.filter { $0 < 0x80 }.map { UInt8($0) }
    let basicCount = output.count
    if basicCount > 0 { output.append(UInt8(ascii: "_")) }
    var next = 0x80
    var delta = 0
    var bias = 72
    var handled = basicCount
    while handled < points.count {
      // There is one: fewer points are handled than there are.
      let smallest = points.lazy.filter { $0 >= next }.min() ?? next
      delta += (smallest - next) * (handled + 1)
      next = smallest
      for point in points {
        if point < next { delta += 1 }
        guard point == next else { continue }
        appendVariableLength(delta, bias: bias, to: &output)
        bias = adapt(delta, count: handled + 1, isFirst: handled == basicCount)
        delta = 0
        handled += 1
      }
      delta += 1
      next += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func appendVariableLength(_ value: Int, bias: Int, to output: inout [UInt8]) {
    var rest = value
    var position = base
    while true {
      let threshold = min(max(position - bias, smallestThreshold), largestThreshold)
      if rest < threshold { break }
      output.append(digit(threshold + (rest - threshold) % (base - threshold)))
      rest = (rest - threshold) / (base - threshold)
      position += base
    }
    output.append(digit(rest))
  }

  private static func digit(_ value: Int) -> UInt8 {
    value < 26 ? UInt8(ascii: "a") + UInt8(value) : UInt8(ascii: "A") + UInt8(value - 26)
  }

  private static func adapt(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var steps = 0
    while delta > (base - smallestThreshold) * largestThreshold / 2 {
      delta /= base - smallestThreshold
      steps += base
    }
    return steps + base * delta / (delta + 38)
  }
}

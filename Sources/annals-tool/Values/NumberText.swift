/// The shortest digits that read back as the same number, laid out in one way everywhere: plain from 0.0001 up to
/// sixteen digits before the point, with an exponent outside. Swift's own layout changes at 2^53; other languages'
/// at other places.
enum NumberText {
  static func text(_ value: Double) -> String { layOut(value.description) }
  static func text(_ value: Float) -> String { layOut(value.description) }

  /// A JSON number, or one of the strings "NaN", "Infinity", "-Infinity", which JSON has no numbers for.
  static func json(_ value: Double) -> JSON { json(text(value), isFinite: value.isFinite) }
  static func json(_ value: Float) -> JSON { json(text(value), isFinite: value.isFinite) }

  private static func json(_ text: String, isFinite: Bool) -> JSON { isFinite ? .number(text) : .string(text) }

  private static func layOut(_ description: String) -> String {
    switch description {
    case "nan", "-nan", "snan", "-snan": return "NaN"
    case "inf": return "Infinity"
    case "-inf": return "-Infinity"
    default: break
    }
    guard !description.hasPrefix("nan"), !description.hasPrefix("snan") else { return "NaN" }
    let isNegative = description.hasPrefix("-")
    let halves = description.drop { $0 == "-" }.split(separator: "e", maxSplits: 1)
    var exponent = halves.count > 1 ? Int(halves[1]) ?? 0 : 0
    let mantissa = halves[0].split(separator: ".", omittingEmptySubsequences: false)
    var digits = Array(mantissa.joined())
    exponent += mantissa[0].count - 1
    // Now the value is d.ddd × 10^exponent with the point behind the first digit.
    let zeros = digits.prefix { $0 == "0" }.count
    digits.removeFirst(zeros)
    exponent -= zeros
    while digits.last == "0" { digits.removeLast() }
    guard !digits.isEmpty else { return isNegative ? "-0.0" : "0.0" }
    return (isNegative ? "-" : "") + position(digits, exponent)
  }

  private static func position(_ digits: [Character], _ exponent: Int) -> String {
    let count = digits.count
    if exponent < -4 || exponent >= 16 {
      let fraction = count > 1 ? "." + String(digits[1...]) : ""
      let magnitude = String(exponent.magnitude)
      return "\(digits[0])\(fraction)e\(exponent < 0 ? "-" : "+")\(magnitude.count < 2 ? "0" : "")\(magnitude)"
    }
    if exponent < 0 { return "0." + String(repeating: "0", count: -exponent - 1) + String(digits) }
    if count <= exponent + 1 { return String(digits) + String(repeating: "0", count: exponent + 1 - count) + ".0" }
    return String(digits[...exponent]) + "." + String(digits[(exponent + 1)...])
  }
}

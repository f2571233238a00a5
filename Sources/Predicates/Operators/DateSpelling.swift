internal import Foundation

/// Seconds since 2001 of a date written as `2021-05-25`, `2021-05-25 23:11:32.05` or `2021-05-25T23:11:32Z`, with
/// `+02:00` or `+0200` for another zone; UTC where none is given.
func dateSeconds(_ text: String) -> Double? {
  var scanner = DateScanner(Array(text.utf8))
  guard let year = scanner.digits(4), scanner.skip("-"), let month = scanner.digits(2), scanner.skip("-"),
    let day = scanner.digits(2), (1...12).contains(month), (1...31).contains(day)
  else { return nil }
  var seconds = 0.0
  if scanner.skip("T") || scanner.skip(" ") {
    guard let hour = scanner.digits(2), scanner.skip(":"), let minute = scanner.digits(2), hour < 25, minute < 60 else {
      return nil
    }
    seconds = Double(hour * 3600 + minute * 60)
    if scanner.skip(":") {
      guard let second = scanner.digits(2), second < 62 else { return nil }
      seconds += Double(second) + scanner.fraction()
    }
    guard let zone = scanner.zone() else { return nil }
    seconds -= Double(zone)
  }
  guard scanner.isAtEnd else { return nil }
  return Double(daysSince2001(year: year, month: month, day: day)) * 86_400 + seconds
}

private struct DateScanner {
  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { index == bytes.count }

  mutating func digits(_ count: Int) -> Int? {
    guard index + count <= bytes.count else { return nil }
    var number = 0
    for byte in bytes[index..<(index + count)] {
      guard byte &- 0x30 < 10 else { return nil }
      number = number * 10 + Int(byte - 0x30)
    }
    index += count
    return number
  }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(character.value) else { return false }
    index += 1
    return true
  }

  mutating func fraction() -> Double {
    guard skip(".") else { return 0 }
    var digits = ""
    while index < bytes.count, bytes[index] &- 0x30 < 10 {
      digits.append(Character(Unicode.Scalar(bytes[index])))
      index += 1
    }
    return Double("0." + digits + "0") ?? 0
  }

  /// Seconds east of Greenwich; 0 where no zone is written, nil where one is written wrongly.
  mutating func zone() -> Int? {
    _ = skip(" ")
    if isAtEnd || skip("Z") { return 0 }
    let sign = skip("+") ? 1 : skip("-") ? -1 : 0
    guard sign != 0, let hours = digits(2) else { return nil }
    _ = skip(":")
    guard let minutes = digits(2) else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }
}

/// Days in the Gregorian calendar, counted with years that start in March.
private func daysSince2001(year: Int, month: Int, day: Int) -> Int {
  let year = month <= 2 ? year - 1 : year
  let era = (year >= 0 ? year : year - 399) / 400
  let yearOfEra = year - era * 400
  let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
  let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
  return era * 146_097 + dayOfEra - 730_791
}

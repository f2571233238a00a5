import Foundation

/// A place in a log as a person names it: a transaction's number, a date, or a time ago.
enum LogPoint {
  case number(UInt64)
  /// Seconds since 2001-01-01 UTC.
  case time(Double)
  /// The same, of the midnight with which the day begins.
  case day(Double)

  static let syntax =
    "a transaction number, a UTC date (2026-11-30, 2026-11-30T09:00:00Z) or an age (90s, 15m, 2h, 3d, 1w)"

  init?(_ text: String, now: Double = Date().timeIntervalSinceReferenceDate) {
    if let number = UInt64(text) {
      self = .number(number)
    } else if let age = Self.age(text) {
      self = .time(now - age)
    } else if let time = Self.date(text) {
      self = text.contains(":") ? .time(time) : .day(time)
    } else {
      return nil
    }
  }

  private static func age(_ text: String) -> Double? {
    guard let unit = text.last, let count = UInt32(text.dropLast()) else { return nil }
    let seconds: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
    return seconds[unit].map { $0 * Double(count) }
  }

  /// ISO 8601: a date, perhaps with a time, perhaps with a zone; without one it is UTC.
  private static func date(_ text: String) -> Double? {
    let halves = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "T" || $0 == " " }
    let day = halves[0].split(separator: "-", omittingEmptySubsequences: false)
    guard day.count == 3, let year = digits(day[0], 4, 1...9999), let month = digits(day[1], 2, 1...12),
      let dayOfMonth = digits(day[2], 2, 1...daysInMonth(year, month))
    else { return nil }
    var secondOfDay = 0.0
    if halves.count > 1 {
      guard let seconds = time(halves[1]) else { return nil }
      secondOfDay = seconds
    }
    return TimeText.seconds(year: year, month: month, day: dayOfMonth, secondOfDay: secondOfDay)
  }

  private static func time(_ text: Substring) -> Double? {
    var clock = text
    var zoneSeconds = 0
    if clock.hasSuffix("Z") {
      clock = clock.dropLast()
    } else if let sign = clock.lastIndex(where: { $0 == "+" || $0 == "-" }) {
      let zone = clock[clock.index(after: sign)...].filter { $0 != ":" }
      guard zone.count == 4, let hours = digits(Substring(zone.prefix(2)), 2, 0...23),
        let minutes = digits(Substring(zone.suffix(2)), 2, 0...59)
      else { return nil }
      zoneSeconds = (hours * 60 + minutes) * 60 * (clock[sign] == "+" ? 1 : -1)
      clock = clock[..<sign]
    }
    let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let hour = digits(parts[0], 2, 0...23),
      let minute = digits(parts[1], 2, 0...59)
    else { return nil }
    var second = 0.0
    if parts.count == 3 {
      let whole = parts[2].prefix { $0 != "." }
      guard digits(whole, 2, 0...59) != nil, parts[2].allSatisfy({ $0 == "." || ("0"..."9").contains($0) }),
        let value = Double(parts[2])
      else { return nil }
      second = value
    }
    return Double(hour * 3600 + minute * 60 - zoneSeconds) + second
  }

  private static func digits(_ text: Substring, _ width: Int, _ range: ClosedRange<Int>) -> Int? {
    guard text.utf8.count == width, text.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(text),
      range.contains(number)
    else { return nil }
    return number
  }

  private static func daysInMonth(_ year: Int, _ month: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// Times as ISO 8601 in UTC, made from seconds since 2001-01-01 without a calendar or a locale.
enum TimeText {
  /// 2001-01-01 in days since 1970-01-01.
  private static let referenceDay = 11_323
  private static let microsecondsADay: Int64 = 86_400_000_000

  /// "2026-11-30T09:00:00.123456Z"; `nil` outside the years 1 to 9999, and for what is not a number.
  static func iso(_ secondsSince2001: Double) -> String? {
    parts(secondsSince2001).map { "\($0.date)T\($0.time).\(padded($0.microseconds, 6))Z" }
  }

  /// "2026-11-30 09:00:00.123Z" for people; the raw seconds where there is no such date.
  static func short(_ secondsSince2001: Double) -> String {
    parts(secondsSince2001).map { "\($0.date) \($0.time).\(padded($0.microseconds / 1000, 3))Z" }
      ?? "\(NumberText.text(secondsSince2001))s"
  }

  static func json(_ secondsSince2001: Double) -> JSON {
    var object = JSONObject()
    object.add("iso", .text(iso(secondsSince2001)))
    object.add("seconds", NumberText.json(secondsSince2001))
    return .object(object)
  }

  private struct Parts {
    let date: String
    let time: String
    let microseconds: Int64
  }

  private static func parts(_ seconds: Double) -> Parts? {
    // Year 1 to year 9999: within these bounds the microseconds fit an Int64 with room to spare.
    guard seconds >= -63_113_904_000, seconds < 252_423_993_600 else { return nil }
    let microseconds = Int64((seconds * 1_000_000).rounded(.down))
    let day = Int64(floorDivide(microseconds, microsecondsADay))
    let within = microseconds - day * microsecondsADay
    let (year, month, dayOfMonth) = civil(day: Int(day) + referenceDay)
    let second = within / 1_000_000
    return Parts(
      date: "\(padded(Int64(year), 4))-\(padded(Int64(month), 2))-\(padded(Int64(dayOfMonth), 2))",
      time: "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))",
      microseconds: within % 1_000_000)
  }

  private static func floorDivide(_ a: Int64, _ b: Int64) -> Int64 { a >= 0 ? a / b : -((-a + b - 1) / b) }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// Gregorian date of a day counted from 1970-01-01, by eras of 400 years that start in March.
  private static func civil(day: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  /// Seconds since 2001-01-01 of a date and time in UTC; the parts are taken as valid.
  static func seconds(year: Int, month: Int, day: Int, secondOfDay: Double) -> Double {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468 - referenceDay
    return Double(days) * 86_400 + secondOfDay
  }
}

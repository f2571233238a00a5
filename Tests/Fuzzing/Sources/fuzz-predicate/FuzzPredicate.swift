import Annals
import Foundation

/// The input's first byte tells how many arguments come with it; the rest is the format.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPredicate(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let bytes, count > 0 else { return 0 }
  let format = String(decoding: UnsafeBufferPointer(start: bytes + 1, count: count - 1), as: UTF8.self)
  let all: [Any?] = ["name", 1, Date(timeIntervalSinceReferenceDate: 0), nil, ["a", "b"], 2.5, Data([1]), UUID()]
  let arguments = (0..<Int(bytes[0] % 16)).map { all[$0 % all.count] }
  guard let predicate = try? NSPredicate(parsing: format, arguments: arguments) else { return 0 }
  // What parses also prints, and what is printed parses again to the same text.
  let printed = predicate.predicateFormat
  guard let again = try? NSPredicate(parsing: printed, arguments: []) else {
    fatalError("\(format) prints as \(printed), which does not parse")
  }
  precondition(again.predicateFormat == printed, "\(printed) prints as \(again.predicateFormat)")
  return 0
}

internal import Foundation

/// Folding of strings for comparison: the same whatever the machine's language.
///
/// Every folding decomposes canonically, so that composed and decomposed spellings agree. Case folding is Unicode's full
/// one (`ß` folds to `ss`, final sigma to sigma; dotless `ı` stays itself). Diacritic folding drops combining marks.
public struct StringFolding: Hashable, Sendable {
  /// Whether upper and lower case are one.
  public let foldsCase: Bool
  /// Whether letters with and without marks are one.
  public let foldsDiacritics: Bool

  /// A way to fold strings.
  public init(foldsCase: Bool, foldsDiacritics: Bool) {
    self.foldsCase = foldsCase
    self.foldsDiacritics = foldsDiacritics
  }

  /// The folding of `[cd]` and of the `canonical:` function.
  public static let canonical = StringFolding(foldsCase: true, foldsDiacritics: true)

  /// Folds a whole string. Costs a pass over it; ASCII text takes a short cut.
  public func fold(_ text: String) -> String {
    var text = text
    return text.withUTF8 { bytes in
      String(decoding: folded(UnsafeRawBufferPointer(bytes)), as: UTF8.self)
    }
  }

  /// Folds UTF-8.
  func folded(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    if isASCII(bytes) { return foldsCase ? bytes.map(lowercasedASCII) : Array(bytes) }
    if let quick = foldedByTable(bytes) { return quick }
    return foldedByScalar(bytes)
  }

  /// Folds text whose scalars all lie in the table, and in which no combining marks would have to be put in order.
  private func foldedByTable(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    let table = FoldingTable.table(for: self)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 8)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte < 0x80 {
        result.append(foldsCase ? lowercasedASCII(byte) : byte)
        index += 1
        continue
      }
      guard byte & 0xE0 == 0xC0, index + 1 < bytes.count else { return nil }
      let scalar = Int(byte & 0x1F) << 6 | Int(bytes[index + 1] & 0x3F)
      guard let range = table.range(of: scalar) else { return nil }
      result.append(contentsOf: table.bytes[range])
      index += 2
    }
    return result
  }

  private func foldedByScalar(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var scalars: [Unicode.Scalar] = []
    scalars.reserveCapacity(bytes.count)
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars { append(scalar, to: &scalars) }
    if !foldsDiacritics { putMarksInOrder(&scalars) }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 8)
    for scalar in scalars { result.append(contentsOf: UTF8.encode(scalar)!) }
    return result
  }

  func append(_ scalar: Unicode.Scalar, to result: inout [Unicode.Scalar]) {
    for part in canonicalDecomposition(scalar) {
      if foldsDiacritics, isCombiningMark(part) { continue }
      if foldsCase { appendCaseFolding(of: part, to: &result) } else { result.append(part) }
    }
  }

  private func appendCaseFolding(of scalar: Unicode.Scalar, to result: inout [Unicode.Scalar]) {
    if scalar.isASCII {
      result.append(Unicode.Scalar(lowercasedASCII(UInt8(scalar.value))))
      return
    }
    // Dotless i upper-cases to I; folding it to i would be Turkish. Scalars without case are the rule further out.
    guard scalar.value != 0x131, scalar.properties.isCased || scalar.value == 0x345 else {
      result.append(scalar)
      return
    }
    // Lower, upper, lower: capital sharp s becomes ss, final sigma sigma, whichever way it was written.
    for lower in scalar.properties.lowercaseMapping.unicodeScalars {
      for upper in lower.properties.uppercaseMapping.unicodeScalars {
        for folded in upper.properties.lowercaseMapping.unicodeScalars
        where !(foldsDiacritics && isCombiningMark(folded)) {
          result.append(folded)
        }
      }
    }
  }
}

/// Foldings of the scalars of two bytes' UTF-8 below U+0600: Latin, Greek, Cyrillic, Armenian, Hebrew.
struct FoldingTable: Sendable {
  private static let first = 0x80
  private static let end = 0x600

  private var ends: [UInt16] = []
  private var isMark: [Bool] = []
  private(set) var bytes: [UInt8] = []

  private static let plain = FoldingTable(StringFolding(foldsCase: false, foldsDiacritics: false))
  private static let caseOnly = FoldingTable(StringFolding(foldsCase: true, foldsDiacritics: false))
  private static let diacriticsOnly = FoldingTable(StringFolding(foldsCase: false, foldsDiacritics: true))
  private static let both = FoldingTable(.canonical)

  static func table(for folding: StringFolding) -> FoldingTable {
    switch (folding.foldsCase, folding.foldsDiacritics) {
    case (false, false): plain
    case (true, false): caseOnly
    case (false, true): diacriticsOnly
    case (true, true): both
    }
  }

  private init(_ folding: StringFolding) {
    for value in Self.first..<Self.end {
      guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
      var folded: [Unicode.Scalar] = []
      folding.append(scalar, to: &folded)
      for part in folded { bytes.append(contentsOf: UTF8.encode(part)!) }
      ends.append(UInt16(bytes.count))
      isMark.append(!folding.foldsDiacritics && isCombiningMark(scalar))
    }
  }

  /// Where the folding of a scalar lies in `bytes`; `nil` outside the table and for marks, whose order matters.
  func range(of scalar: Int) -> Range<Int>? {
    let index = scalar - Self.first
    guard index >= 0, index < ends.count, !isMark[index] else { return nil }
    return (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])
  }
}

@inline(__always)
func lowercasedASCII(_ byte: UInt8) -> UInt8 { byte &- 65 < 26 ? byte | 0x20 : byte }

func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
  var index = 0
  var seen: UInt64 = 0
  while index + 8 <= bytes.count {
    seen |= bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
    index += 8
  }
  var rest: UInt8 = 0
  while index < bytes.count {
    rest |= bytes[index]
    index += 1
  }
  return seen & 0x8080_8080_8080_8080 == 0 && rest & 0x80 == 0
}

func isCombiningMark(_ scalar: Unicode.Scalar) -> Bool {
  scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
}

/// The scalar's full canonical decomposition.
private func canonicalDecomposition(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
  switch scalar.value {
  case 0..<0xC0, 0x3400..<0xA000, 0x1F000..<0x2F800: return [scalar]
  case 0xAC00..<0xD7A4:
    let index = scalar.value - 0xAC00
    var jamo = [0x1100 + index / 588, 0x1161 + index % 588 / 28]
    if index % 28 != 0 { jamo.append(0x11A7 + index % 28) }
    return jamo.compactMap { Unicode.Scalar($0) }
  default: return Array(String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars)
  }
}

/// Sorts runs of combining marks by their class, stably: canonical order.
private func putMarksInOrder(_ scalars: inout [Unicode.Scalar]) {
  var start = 0
  while start < scalars.count {
    guard isCombiningMark(scalars[start]) else {
      start += 1
      continue
    }
    var end = start + 1
    while end < scalars.count, isCombiningMark(scalars[end]) { end += 1 }
    if end - start > 1 {
      let run = scalars[start..<end].enumerated().sorted { a, b in
        let left = a.element.properties.canonicalCombiningClass.rawValue
        let right = b.element.properties.canonicalCombiningClass.rawValue
        return left != right ? left < right : a.offset < b.offset
      }
      scalars.replaceSubrange(start..<end, with: run.map(\.element))
    }
    start = end
  }
}

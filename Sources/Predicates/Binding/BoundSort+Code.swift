public import Schema

extension BoundSort {
  /// A number that says where a row comes: of two rows with different numbers the one with the smaller comes first,
  /// direction counted in; of two with the same number `compare` decides. Taken once for each row, it saves most
  /// comparisons of a sort.
  public func code(of row: Row, in source: any ObjectSource) throws(StoreError) -> UInt64 {
    try withExtendedLifetime(source) { () throws(StoreError) in
      let code = try ascendingCode(of: row, RowScope(source: source))
      return isAscending ? code : ~code
    }
  }

  private func ascendingCode(of row: Row, _ scope: borrowing RowScope) throws(StoreError) -> UInt64 {
    guard let target = hops.isEmpty ? row : try target(row, scope) else { return 0 }
    guard let access else { return target.key.rawValue }
    guard let slot = access.slot(of: target, scope), !target.isNull(slot) else { return 0 }
    // 0 is for absence, which comes first; the least value shares a number with the next.
    switch slot.kind {
    case .int16, .int32, .int64: return max(1, UInt64(bitPattern: target.integer(slot)) ^ 1 << 63)
    case .double, .date: return max(1, Self.code(target.double(slot)))
    case .float: return max(1, Self.code(Double(target.float(slot))))
    case .bool: return target.bool(slot) ? 2 : 1
    case .reference: return max(1, target.reference(slot).rawValue)
    case .string, .url: return max(1, comparison.code(target.variableBytes(slot)))
    case .data: return max(1, firstBytes(target.variableBytes(slot)))
    case .uuid, .decimal: return 1
    }
  }

  private static func code(_ number: Double) -> UInt64 {
    if number.isNaN { return .max }
    let bits = (number == 0 ? 0.0 : number).bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }
}

extension BoundSort.Comparison {
  /// The first bytes of what is compared; the same for all strings where that is no plain text.
  fileprivate func code(_ text: UnsafeRawBufferPointer) -> UInt64 {
    switch self {
    case .plain: return firstBytes(text)
    case .caseInsensitive:
      guard isASCII(text) else { return Self.caseFolding.folded(text).withUnsafeBytes { firstBytes($0) } }
      var code: UInt64 = 0
      for index in 0..<8 { code = code << 8 | (index < text.count ? UInt64(lowercasedASCII(text[index])) : 0) }
      return code
    case .localized, .localizedCaseInsensitive, .localizedStandard: return 1
    }
  }
}

private func firstBytes(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
  if bytes.count >= 8 { return UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) }
  var code: UInt64 = 0
  for index in 0..<8 { code = code << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0) }
  return code
}

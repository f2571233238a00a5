internal import Foundation
internal import Schema

/// What a store of the program's own calls its objects, and the keys that the graph has for them. Any thread.
final class ReferenceTable: @unchecked Sendable {
  // unchecked: everything is behind the lock.
  private struct Reference: Hashable {
    let entityNumber: Int
    let value: AnyHashable
  }

  private let lock = NSLock()
  private var keys: [Reference: ObjectKey] = [:]
  private var references: [ObjectKey: AnyHashable] = [:]
  /// Where names that are no numbers are counted from: past the numbers that stores call their objects by.
  private var next: UInt64 = 1 << 47

  /// The key of an object, the same for the same name. A positive whole number is the key's ordinal.
  func key(entityNumber: Int, reference: AnyHashable) -> ObjectKey {
    lock.withLock {
      let wanted = Reference(entityNumber: entityNumber, value: reference)
      if let known = keys[wanted] { return known }
      var key = ObjectKey(entityNumber: entityNumber, ordinal: ordinal(of: reference) ?? takeOrdinal())
      if references[key] != nil { key = ObjectKey(entityNumber: entityNumber, ordinal: takeOrdinal()) }
      keys[wanted] = key
      references[key] = reference
      return key
    }
  }

  func reference(of key: ObjectKey) -> AnyHashable? { lock.withLock { references[key] } }

  /// How URIs name an object; `nil` for one that the store has not named.
  func text(of key: ObjectKey) -> String? {
    guard let reference = reference(of: key) else { return nil }
    let text = "\(reference.base)"
    return text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-_.~")))
  }

  /// The key of an object that a URI names. Names that were not heard of yet are taken for numbers where they are
  /// some, else for strings.
  func key(entityNumber: Int, text: String) -> ObjectKey {
    let known: ObjectKey? = lock.withLock {
      references.first { $0.key.entityNumber == entityNumber && "\($0.value.base)" == text }?.key
    }
    if let known { return known }
    return key(entityNumber: entityNumber, reference: Int(text).map { AnyHashable($0) } ?? AnyHashable(text))
  }

  private func ordinal(of reference: AnyHashable) -> UInt64? {
    let number: Int64? = (reference.base as? NSNumber)?.int64Value ?? (reference.base as? Int).map { Int64($0) }
    guard let number, number > 0, number < 1 << 47, "\(reference.base)" == "\(number)" else { return nil }
    return UInt64(number)
  }

  private func takeOrdinal() -> UInt64 {
    next += 1
    return next
  }
}

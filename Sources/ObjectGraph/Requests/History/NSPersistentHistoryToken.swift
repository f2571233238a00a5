public import Foundation

/// A place in the history of one store, or of several: everything up to it has been seen.
///
/// A value: may be passed to any thread, kept in a file, and compared.
public final class NSPersistentHistoryToken: NSObject, NSCopying, NSSecureCoding, Sendable {
  /// Number of the last transaction seen, by store identifier.
  package let numbers: [String: UInt64]

  package init(numbers: [String: UInt64]) {
    self.numbers = numbers
    super.init()
  }

  public static var supportsSecureCoding: Bool { true }

  /// Reads a token that was archived. `nil` when the archive holds something else.
  public init?(coder: NSCoder) {
    guard let text = coder.decodeObject(of: NSString.self, forKey: Self.archiveKey),
      let numbers = Self.parse(text as String)
    else { return nil }
    self.numbers = numbers
    super.init()
  }

  public func encode(with coder: NSCoder) { coder.encode(NSString(string: text), forKey: Self.archiveKey) }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? NSPersistentHistoryToken)?.numbers == numbers
  }

  public override var hash: Int { numbers.hashValue }

  public override var description: String { "<NSPersistentHistoryToken: \(text)>" }

  private static let archiveKey = "stores"

  /// `UUID=number`, sorted, with spaces between.
  var text: String {
    numbers.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
  }

  static func parse(_ text: String) -> [String: UInt64]? {
    var numbers: [String: UInt64] = [:]
    for part in text.split(separator: " ") {
      let sides: [Substring] = part.split(separator: "=")
      guard sides.count == 2, UUID(uuidString: String(sides[0])) != nil, let number = UInt64(sides[1]) else {
        return nil
      }
      numbers[String(sides[0])] = number
    }
    return numbers
  }
}

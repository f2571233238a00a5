public import Foundation

/// The type of a property in another module.
public final class Shade: NSObject, NSSecureCoding {
  public static var supportsSecureCoding: Bool { true }
  public let name: String

  public init(name: String) { self.name = name }
  public init?(coder: NSCoder) { name = (coder.decodeObject(of: NSString.self, forKey: "name") ?? "") as String }
  public func encode(with coder: NSCoder) { coder.encode(name as NSString, forKey: "name") }
}

public typealias Stamp = Date

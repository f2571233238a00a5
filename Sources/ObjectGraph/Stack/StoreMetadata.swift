internal import Foundation
internal import Schema

/// The program's own metadata, as the strings that a store keeps. A mark in front tells the type, so that what was a
/// number comes back as one and `annals info` can still be read by people.
enum StoreMetadata {
  static let frameworkVersion = 1
  static let hashesVersion = 1
  static let reservedKeys: Set<String> = [
    NSStoreTypeKey, NSStoreUUIDKey, NSStoreModelVersionHashesKey, NSStoreModelVersionIdentifiersKey,
    NSStoreModelVersionHashesVersionKey, NSPersistenceFrameworkVersion, NSPersistentStoreOSCompatibility,
  ]

  /// A store's metadata as a program sees it: what it set itself, and what Core Data puts beside it.
  static func full(_ own: [String: Any], type: String, identifier: String, schema: Schema?) -> [String: Any] {
    var full: [String: Any] = own
    full[NSStoreTypeKey] = type
    full[NSStoreUUIDKey] = identifier
    full[NSPersistenceFrameworkVersion] = frameworkVersion
    guard let schema else { return full }
    var hashes: [String: Data] = [:]
    for entity in schema.entities { hashes[entity.name] = entity.versionHash }
    full[NSStoreModelVersionHashesKey] = hashes
    full[NSStoreModelVersionHashesVersionKey] = hashesVersion
    full[NSStoreModelVersionIdentifiersKey] = schema.versionIdentifiers
    return full
  }

  static func encode(_ metadata: [String: Any], store: String) -> [String: String] {
    var encoded: [String: String] = [:]
    for (key, value) in metadata {
      guard let text = encode(value) else {
        ProgrammerError.stop(
          "The metadata of the store \(store) can't hold the value of '\(key)', a \(Swift.type(of: value)): only strings, numbers, dates, data, arrays and dictionaries of them."
        )
      }
      encoded[key] = text
    }
    return encoded
  }

  private static func encode(_ value: Any) -> String? {
    switch value {
    case let value as String: return "=" + value
    case let value as Bool: return value ? "?true" : "?false"
    case let value as Int: return "#\(value)"
    case let value as Double: return "~\(value)"
    default: break
    }
    // A dictionary around it, since property lists start with a container.
    guard
      let data = try? PropertyListSerialization.data(fromPropertyList: ["v": value], format: .binary, options: 0)
    else { return nil }
    return "*" + data.base64EncodedString()
  }

  /// Reads back what `encode` wrote. A string without a mark that it knows is returned as it is.
  static func decode(_ metadata: [String: String]) -> [String: Any] {
    metadata.mapValues { decode($0) }
  }

  private static func decode(_ text: String) -> Any {
    let rest = String(text.dropFirst())
    switch text.first {
    case "=": return rest
    case "?": return rest == "true"
    case "#": return Int(rest) ?? text
    case "~": return Double(rest) ?? text
    case "*":
      guard let data = Data(base64Encoded: rest),
        let list = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil) as? [String: Any]
      else { return text }
      return list["v"] ?? text
    default: return text
    }
  }
}

public import Foundation

extension NSManagedObjectModel {
  /// Each entity's version hash by its name.
  public var entityVersionHashesByName: [String: Data] {
    var hashes: [String: Data] = [:]
    for entity in entities { if let name = entity.name { hashes[name] = entity.versionHash } }
    return hashes
  }

  /// A digest of all version hashes, in base 64: the same for models that can open the same stores.
  public var versionChecksum: String {
    var hasher = VersionHasher()
    let hashes: [String: Data] = entityVersionHashesByName
    for name in hashes.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      hasher.add(name)
      hasher.add(hashes[name] ?? Data())
    }
    return hasher.digest.base64EncodedString()
  }

  /// Whether the entities of a configuration have the version hashes that a store's metadata names.
  ///
  /// - Parameters:
  ///   - configuration: `nil` for all entities.
  ///   - metadata: a store's, with "NSStoreModelVersionHashes".
  public func isConfiguration(
    withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
  ) -> Bool {
    guard let stored = metadata[Self.versionHashesKey] as? [String: Data],
      let entities = entities(forConfigurationName: configuration)
    else { return false }
    var own: [String: Data] = [:]
    for entity in entities { if let name = entity.name { own[name] = entity.versionHash } }
    return own == stored
  }

  /// The checksum of every version in a model directory, by the version's name.
  ///
  /// - Parameter url: a `.xcdatamodeld` directory.
  /// - Throws: `ModelError` for the first version that can't be read.
  public static func checksumsForVersionedModel(at url: URL) throws -> [String: String] {
    var checksums: [String: String] = [:]
    for version in try ModelFiles.versions(in: url) {
      let model: NSManagedObjectModel = try ModelReader.read(version).model
      checksums[version.deletingPathExtension().lastPathComponent] = model.versionChecksum
    }
    return checksums
  }

  /// Key of a store's metadata.
  static let versionHashesKey = "NSStoreModelVersionHashes"
}

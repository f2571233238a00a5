public import Foundation

extension NSManagedObjectModel {
  /// Reads a model, or returns nothing where it can't be read; what is wrong is then on the error output.
  ///
  /// - Parameter url: as for `ModelReader.read(_:)`.
  public convenience init?(contentsOf url: URL) {
    do {
      try self.init(reading: url)
    } catch {
      FileHandle.standardError.write(Data((error.description + "\n").utf8))
      return nil
    }
  }

  /// Reads a model.
  ///
  /// - Parameter url: as for `ModelReader.read(_:)`.
  /// - Throws: `ModelError` with every fault of the file.
  public convenience init(reading url: URL) throws(ModelError) {
    let read: NSManagedObjectModel = try ModelReader.read(url).model
    self.init()
    adoptContents(of: read)
  }

  /// Takes everything of a model that nobody else holds.
  private func adoptContents(of other: NSManagedObjectModel) {
    let entities: [NSEntityDescription] = other.entities
    other.entities = []
    self.entities = entities
    versionIdentifiers = other.versionIdentifiers
    localizationDictionary = other.localizationDictionary
    templates = other.templates
    entityNamesByConfiguration = other.entityNamesByConfiguration
    cloudConfigurations = other.cloudConfigurations
    composites = other.composites
    fileAttributes = other.fileAttributes
    url = other.url
  }
}

/// Bounds on what is read as a model, so that a hostile file ends in an error and not in a long wait.
enum ModelLimits {
  /// The largest real model is under 2 MB.
  static let fileBytesMax = 64 << 20
  static let versionFileBytesMax = 1 << 20
  /// Real models nest four deep.
  static let depthMax = 32
  /// Quotation marks in one element: two for each attribute, and those in its values.
  static let quotesMax = 20_000
  static let elementsMax = 2_000_000
  static let diagnosticsMax = 1000
  /// A row's columns and a key's entity number are bounded by the store's format.
  static let entitiesMax = 1 << 15 - 1
  static let propertiesMax = 4096
  static let compositeDepthMax = 16
  static let compositeElementsMax = 100_000
}

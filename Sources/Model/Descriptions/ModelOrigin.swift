/// Where in a model file something was described.
package struct ModelOrigin: Sendable, Hashable {
  package var file: String?
  /// From 1.
  package var line: Int?

  package init(file: String? = nil, line: Int? = nil) {
    self.file = file
    self.line = line
  }
}

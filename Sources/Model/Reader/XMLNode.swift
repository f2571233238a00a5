/// An element of a model file. Text between elements says nothing there, and is not kept.
final class XMLNode {
  let name: String
  let attributes: [String: String]
  /// From 1.
  let line: Int
  var children: [XMLNode] = []

  init(name: String, attributes: [String: String], line: Int) {
    self.name = name
    self.attributes = attributes
    self.line = line
  }

  func children(named name: String) -> [XMLNode] { children.filter { $0.name == name } }
}

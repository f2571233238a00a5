internal import Foundation
internal import FoundationXML

/// Parses XML into a tree, within bounds, without ever looking at anything outside the data.
final class XMLTreeParser: NSObject, XMLParserDelegate {
  private var root: XMLNode?
  private var open: [XMLNode] = []
  private var elementCount = 0
  private var lines: [Int] = []
  private var fault: (line: Int, message: String)?

  /// - Throws: one diagnostic, with its line.
  static func parse(_ data: Data, file: String) throws(ModelError) -> XMLNode {
    func failure(_ message: String, line: Int?) -> ModelError {
      ModelError(
        "The model \(file) can't be read.", diagnostics: [ModelDiagnostic(.error, message, file: file, line: line)])
    }
    guard data.count <= ModelLimits.fileBytesMax else {
      throw failure(
        "the file has \(data.count) bytes; a model may have \(ModelLimits.fileBytesMax)", line: nil)
    }
    guard !data.isEmpty else { throw failure("the file is empty", line: nil) }
    // Model files are UTF-8. Anything else could hide a document type from the check below.
    guard let text = String(validating: data, as: UTF8.self), !text.utf8.contains(0) else {
      throw failure("the file is not UTF-8 text", line: nil)
    }
    if let range = text.range(of: "<!DOCTYPE", options: .caseInsensitive) ?? text.range(of: "<!ENTITY") {
      let line: Int = text[..<range.lowerBound].utf8.reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
      throw failure("a model may not declare a document type or entities", line: line)
    }
    if let range = instruction(in: text) {
      let line: Int = text[..<range.lowerBound].utf8.reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
      throw failure("a model may not have processing instructions ('<?' after its first line)", line: line)
    }
    let delegate = XMLTreeParser()
    let tags = StartTagLines(text)
    if let line = tags.overloadedLine { throw failure("an element has too many attributes", line: line) }
    delegate.lines = tags.lines
    let parser = XMLParser(data: data)
    parser.delegate = delegate
    parser.shouldResolveExternalEntities = false
    let succeeded: Bool = parser.parse()
    if let fault = delegate.fault { throw failure(fault.message, line: fault.line) }
    guard succeeded, let root = delegate.root, delegate.open.isEmpty else {
      let code: String = parser.parserError.map { " (\(Self.text(of: $0)))" } ?? ""
      throw failure("the XML is not well formed\(code)", line: max(1, parser.lineNumber))
    }
    return root
  }

  /// A processing instruction, or what looks like one: Foundation's parser crashes on one without data.
  private static func instruction(in text: String) -> Range<String.Index>? {
    var rest: Substring = text[...]
    if rest.unicodeScalars.first == "\u{FEFF}" { rest = Substring(rest.unicodeScalars.dropFirst()) }
    for space in [" ", "\t", "\n", "\r"] where rest.utf8.starts(with: "<?xml\(space)".utf8) {
      rest = Substring(rest.unicodeScalars.dropFirst(6))
      break
    }
    return rest.range(of: "<?")
  }

  private static func text(of error: any Error) -> String {
    let error = error as NSError
    if let detail = error.userInfo["NSXMLParserErrorMessage"] as? String {
      return detail.trimmingCharacters(in: .whitespacesAndNewlines)
    }
    return "XML error \(error.code)"
  }

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName qName: String?,
    attributes attributeDict: [String: String]
  ) {
    elementCount += 1
    guard elementCount <= ModelLimits.elementsMax else {
      return stop(parser, "there are more than \(ModelLimits.elementsMax) elements")
    }
    guard open.count < ModelLimits.depthMax else {
      return stop(parser, "elements are nested more than \(ModelLimits.depthMax) deep")
    }
    let line: Int = elementCount <= lines.count ? lines[elementCount - 1] : max(1, parser.lineNumber)
    let node = XMLNode(name: elementName, attributes: attributeDict, line: line)
    if let parent = open.last {
      parent.children.append(node)
    } else if root == nil {
      root = node
    }
    open.append(node)
  }

  func parser(
    _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName qName: String?
  ) {
    if !open.isEmpty { open.removeLast() }
  }

  func parser(_ parser: XMLParser, foundInternalEntityDeclarationWithName name: String, value: String?) {
    stop(parser, "a model may not declare entities")
  }

  func parser(
    _ parser: XMLParser, foundExternalEntityDeclarationWithName name: String, publicID: String?, systemID: String?
  ) {
    stop(parser, "a model may not declare entities")
  }

  private func stop(_ parser: XMLParser, _ message: String) {
    if fault == nil { fault = (max(1, parser.lineNumber), message) }
    parser.abortParsing()
  }
}

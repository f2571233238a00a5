internal import ModelCompiler

/// `#selector` of a comparison, as sort descriptors take it, becomes a selector by name, which both platforms have. The
/// doubled parentheses keep the compiler on Apple's platforms from warning.
enum SelectorRule {
  static func apply(to draft: inout PortingDraft) {
    let file = draft.file
    for index in file.tokens.indices where file.isCompiled[index] {
      guard let open = file.macroParenthesis("selector", at: index), let close = file.closing(open) else { continue }
      let text = file.text(index...close).singleLine
      if let name = comparison(file, open, close), !file.hasComment(index...close) {
        let selector = "Selector((\"\(name):\"))"
        draft.replace(file.byteRange(index...close), with: selector)
        draft.changed(index, "\(text) is now \(selector)")
      } else {
        draft.remark(
          index, "\(text): Linux has no selectors to call",
          cure: "pass a closure (NotificationCenter.addObserver(forName:object:queue:using:), Timer with a block), or "
            + "keep the call in #if canImport(ObjectiveC)")
      }
    }
  }

  private static let comparisons: Set<String> = [
    "compare", "caseInsensitiveCompare", "localizedCompare", "localizedCaseInsensitiveCompare",
    "localizedStandardCompare",
  ]
  private static let comparable: Set<String> = ["NSString", "NSNumber", "NSDate", "NSDecimalNumber"]

  /// The comparison that `(NSString.compare(_:))` names.
  static func comparison(_ file: PortingFile, _ open: Int, _ close: Int) -> String? {
    let tokens = file.tokens[open + 1..<close]
    let texts: [String] = tokens.map(\.text)
    guard texts.count >= 3, comparable.contains(texts[0]), texts[1] == ".", comparisons.contains(texts[2]) else {
      return nil
    }
    return texts.count == 3 || texts[3...] == ["(", "_", ":", ")"] ? texts[2] : nil
  }
}

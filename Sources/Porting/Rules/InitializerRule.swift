internal import ModelCompiler

/// Managed objects are made from their classes, so their initialisers are `required` on Linux; the word may stand on
/// Apple's platforms too.
enum InitializerRule {
  static func apply(to draft: inout PortingDraft, _ facts: ProjectFacts) {
    let file = draft.file
    for declaration in file.declarations
    where declaration.keyword == "init" && file.isCompiled[declaration.keywordIndex] {
      guard !declaration.modifiers.contains("required"), let scope = declaration.scope,
        let labels = labels(file, declaration.keywordIndex + 1)
      else { continue }
      let owner = file.declarations[scope]
      let isOverride = declaration.modifiers.contains("override") && labels == ["entity", "insertInto"]
      let isFromContext = labels == ["context"] && facts.isManagedObject(owner.name)
      guard isOverride || isFromContext else { continue }
      let name = "init(\(labels.map { "\($0):" }.joined()))"
      guard owner.keyword == "class" else {
        if isFromContext {
          draft.remark(
            declaration.keywordIndex, "\(name) in an extension: Linux requires it of every managed object class",
            cure: "move it into the class, or give it another label")
        }
        continue
      }
      let first = file.tokens.indices.first { index in
        index >= declaration.start
          && (index == declaration.keywordIndex || isKindModifier(file, index, declaration))
      }
      guard let first else { continue }
      let place = file.tokens[first].range.lowerBound
      draft.replace(place..<place, with: "required ")
      draft.changed(declaration.keywordIndex, "\(name) is now required")
    }
  }

  /// Whether a token is the modifier that the new one goes before.
  private static func isKindModifier(_ file: PortingFile, _ index: Int, _ declaration: Declaration) -> Bool {
    (file.isWord("override", at: index) || file.isWord("convenience", at: index))
      && !declaration.attributes.contains { $0.tokens.contains(index) }
  }

  /// The labels of a list of parameters.
  private static func labels(_ file: PortingFile, _ open: Int) -> [String]? {
    guard file.isMark("(", at: open), let close = file.closing(open) else { return nil }
    var labels: [String] = []
    var index = open + 1
    var expectsLabel = true
    while index < close {
      if expectsLabel, let token = file.token(index), token.isName { labels.append(token.text) }
      expectsLabel = file.isMark(",", at: index)
      let opens = file.isMark("(", at: index) || file.isMark("[", at: index) || file.isMark("{", at: index)
      if opens, let end = file.closing(index) { index = end }
      if file.isMark("<", at: index), let end = file.closingAngle(index) { index = end }
      index += 1
    }
    return labels
  }
}

internal import ModelCompiler

/// Imports of what Linux does not have; and of Foundation beside CoreData, where that makes a name ambiguous.
enum ImportRule {
  /// Foundation on Linux has these too, as classes that cannot be used.
  private static let ambiguous: Set<String> = ["NSExpression", "NSComparisonPredicate"]

  static func apply(to draft: inout PortingDraft) {
    let file = draft.file
    var foundation: Declaration?
    var hasCoreData = false
    for declaration in file.declarations
    where declaration.keyword == "import" && file.isCompiled[declaration.keywordIndex] {
      guard let module = module(declaration, file) else { continue }
      if module.text == "CoreData" { hasCoreData = true }
      let isPlain = declaration.start == declaration.keywordIndex && module == file.tokens[declaration.keywordIndex + 1]
      if module.text == "Foundation", isPlain, !file.isMark(".", at: declaration.keywordIndex + 2) {
        foundation = declaration
      }
      guard AppleModules.isOne(module.text) else { continue }
      draft.remark(
        declaration.keywordIndex, "import \(module.text): there is no \(module.text) on Linux",
        cure: "put it and what uses it into #if canImport(\(module.text)), or into a target of its own")
    }
    guard let foundation, hasCoreData, let use = firstAmbiguousType(file) else { return }
    let range = file.byteRange(foundation.keywordIndex...foundation.keywordIndex + 1)
    guard file.indentation(range.lowerBound) != nil, let next = file.nextLine(range.upperBound) else {
      draft.remark(
        use, "\(file.tokens[use].text) as a type is ambiguous with Foundation's",
        cure: "leave out import Foundation: CoreData brings it")
      return
    }
    draft.replace(file.lineStart(range.lowerBound)..<next, with: "")
    draft.changed(
      foundation.keywordIndex,
      "removed import Foundation, which CoreData brings: with both, \(file.tokens[use].text) is ambiguous as a type")
  }

  private static func module(_ declaration: Declaration, _ file: PortingFile) -> SwiftToken? {
    let kinds: Set<String> = ["struct", "class", "enum", "protocol", "func", "typealias", "var", "let"]
    let next = declaration.keywordIndex + 1
    guard let token = file.token(next), token.isName else { return nil }
    return kinds.contains(token.text) ? file.token(next + 1) : token
  }

  private static func firstAmbiguousType(_ file: PortingFile) -> Int? {
    file.tokens.indices.first { index in
      file.isCompiled[index] && ambiguous.contains(file.tokens[index].text) && isType(index, file)
    }
  }

  /// Whether a name stands where a type does; in expressions the compiler finds the one that can be used.
  private static func isType(_ index: Int, _ file: PortingFile) -> Bool {
    guard let before = file.token(index - 1), !file.isMark("(", at: index + 1) else { return false }
    if file.isMark(".", at: index + 1), file.token(index + 2)?.text.first?.isUppercase != true { return false }
    if before.isWord("as") || before.isWord("is") || before.text == "->" { return true }
    if before.isPunctuation("?") || before.isPunctuation("!") { return file.isWord("as", at: index - 2) }
    return [":", "<", "[", "(", ","].contains(before.text)
  }
}

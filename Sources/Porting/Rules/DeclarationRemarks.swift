internal import ModelCompiler

/// Declarations that Linux has no counterpart for, each with what to write instead.
enum DeclarationRemarks {
  static func apply(to draft: inout PortingDraft, _ facts: ProjectFacts) {
    let file = draft.file
    for declaration in file.declarations where file.isCompiled[declaration.keywordIndex] {
      switch declaration.keyword {
      case "var" where declaration.has("NSManaged"): checkEnum(declaration, &draft, facts)
      case "func": checkMethod(declaration, &draft)
      default: break
      }
      for attribute in declaration.attributes where ["FetchRequest", "SectionedFetchRequest"].contains(attribute.name) {
        draft.remark(
          attribute.tokens.lowerBound, "@\(attribute.name) is SwiftUI's",
          cure: "use an NSFetchedResultsController, or keep the view in #if canImport(SwiftUI)")
      }
    }
  }

  private static func checkEnum(_ declaration: Declaration, _ draft: inout PortingDraft, _ facts: ProjectFacts) {
    let names = draft.file.typeNames(ofProperty: declaration)
    guard let type = names.last(where: facts.enums.contains) else { return }
    let name = declaration.name
    draft.remark(
      declaration.keywordIndex + 1, "@NSManaged var \(name) is of the enumeration \(type), which needs Objective-C",
      cure: "compute it from primitiveValue(forKey: \"\(name)\"), or declare it with the type of its raw value")
  }

  private static let pointer = "AutoreleasingUnsafeMutablePointer"

  /// Whether a function takes what only Objective-C passes.
  static func takesPointer(_ declaration: Declaration, _ file: PortingFile) -> Bool {
    guard declaration.keyword == "func", let range = parameters(declaration, file) else { return false }
    return file.tokens[range].contains { $0.isWord(pointer) }
  }

  /// Whether a function is one that Core Data calls by its property's name.
  static func isValidator(_ declaration: Declaration, _ file: PortingFile) -> Bool {
    let name = declaration.name
    return name.hasPrefix("validate") && name.count > 8 && name != "validateValue" && takesPointer(declaration, file)
  }

  private static func parameters(_ declaration: Declaration, _ file: PortingFile) -> ClosedRange<Int>? {
    guard let open = file.tokens.indices.first(where: { $0 > declaration.keywordIndex && file.isMark("(", at: $0) }),
      let close = file.closing(open)
    else { return nil }
    return open...close
  }

  private static func checkMethod(_ declaration: Declaration, _ draft: inout PortingDraft) {
    let file = draft.file
    let name = declaration.name
    guard let open = parameters(declaration, file)?.lowerBound else { return }
    let takesPointer = takesPointer(declaration, file)
    if name == "validateValue", takesPointer {
      draft.remark(
        declaration.keywordIndex + 1, "validateValue(_:forKey:) takes \(pointer)",
        cure: "on Linux it is validateValue(_ value: inout Any?, forKey key: String); write both, in #if "
          + "canImport(ObjectiveC) and #else")
    } else if name.hasPrefix("keyPathsForValuesAffecting") {
      draft.remark(
        declaration.keywordIndex + 1, "\(name): Linux has no key-value observing",
        cure: "keep it in #if canImport(ObjectiveC)")
    } else if name == "observeValue", file.isWord("forKeyPath", at: open + 1) {
      draft.remark(
        declaration.keywordIndex + 1, "observeValue(forKeyPath:of:change:context:): Linux has no key-value observing",
        cure: ExpressionRemarks.observingCure)
    }
  }
}

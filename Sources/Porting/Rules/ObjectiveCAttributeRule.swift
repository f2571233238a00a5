internal import ModelCompiler

/// Takes `@objc` and `@objcMembers` out, or keeps them for Apple's platforms alone, where the code would not compile
/// there without, or where that was asked for.
enum ObjectiveCAttributeRule {
  private static let names: Set<String> = ["objc", "objcMembers"]
  /// Attributes that say `@objc` by themselves.
  private static let implying: Set<String> = [
    "NSManaged", "IBAction", "IBOutlet", "IBInspectable", "IBSegueAction", "GKInspectable",
  ]

  static func apply(to draft: inout PortingDraft, _ facts: ProjectFacts, _ options: Porter.Options) {
    let file = draft.file
    var handled: Set<Int> = []
    let optionalProtocols = protocolsWithOptionalMembers(file)
    for (index, declaration) in file.declarations.enumerated() {
      let attributes = declaration.attributes.filter {
        names.contains($0.name) && file.isCompiled[$0.tokens.lowerBound]
      }
      guard let first = attributes.first else { continue }
      handled.formUnion(attributes.map(\.tokens.lowerBound))
      if optionalProtocols.contains(index) {
        draft.remark(
          first.tokens.lowerBound, "protocol \(declaration.name) has optional requirements, which need Objective-C",
          cure: "give them default implementations in an extension, and leave out optional and @objc")
        continue
      }
      if let scope = declaration.scope, optionalProtocols.contains(scope) { continue }
      // What can't be ported as it is is remarked upon, and stays whole for Apple's platforms.
      let isValidator = DeclarationRemarks.isValidator(declaration, file)
      if !isValidator, DeclarationRemarks.takesPointer(declaration, file) { continue }
      for attribute in attributes {
        // Core Data finds `validate<Key>(_:)` by its selector there, and by the code generator here.
        let mustStay = isValidator || staysForCompiler(attribute, declaration, index, file, facts)
        let isMeaningful = !isRedundant(attribute, declaration)
        take(
          attribute, of: declaration, isGuarded: mustStay || (options.guardsAttributes && isMeaningful),
          isMeaningful: isMeaningful, &draft)
      }
      if declaration.keyword == "protocol" { confineToClasses(declaration, &draft) }
    }
    remarkOthers(handled, &draft)
  }

  /// Protocols that have `optional` requirements.
  private static func protocolsWithOptionalMembers(_ file: PortingFile) -> Set<Int> {
    var result: Set<Int> = []
    for member in file.declarations where member.modifiers.contains("optional") {
      if let scope = member.scope, file.declarations[scope].keyword == "protocol" { result.insert(scope) }
    }
    return result
  }

  /// Whether the code would not compile on Apple's platforms without the attribute.
  private static func staysForCompiler(
    _ attribute: Declaration.Attribute, _ declaration: Declaration, _ index: Int, _ file: PortingFile,
    _ facts: ProjectFacts
  ) -> Bool {
    switch declaration.keyword {
    case "enum": return facts.managedTypes.contains(declaration.name)
    case "class", "extension":
      // These speak for the members; on a class, @objc speaks for its name alone.
      guard attribute.name == "objcMembers" || declaration.keyword == "extension" else { return false }
      return file.declarations.contains { $0.scope == index && facts.selectorNames.contains($0.name) }
    default:
      if facts.selectorNames.contains(declaration.keyword == "init" ? "init" : declaration.name) { return true }
      // Only what Objective-C dispatches can be overridden when it is declared in an extension.
      guard let scope = declaration.scope, file.declarations[scope].keyword == "extension" else { return false }
      return facts.overriddenNames.contains(declaration.name) && !declaration.has("NSManaged")
    }
  }

  /// Whether the attribute says what goes without saying on Apple's platforms.
  private static func isRedundant(_ attribute: Declaration.Attribute, _ declaration: Declaration) -> Bool {
    guard attribute.name == "objc", attribute.tokens.count == 2 else { return false }
    return declaration.keyword == "class" || declaration.modifiers.contains("override")
      || declaration.attributes.contains { implying.contains($0.name) }
  }

  // MARK: editing

  private static func take(
    _ attribute: Declaration.Attribute, of declaration: Declaration, isGuarded: Bool, isMeaningful: Bool,
    _ draft: inout PortingDraft
  ) {
    let file = draft.file
    let text = file.text(attribute.tokens)
    remove(file.byteRange(attribute.tokens), &draft)
    guard isGuarded else {
      draft.changed(attribute.tokens.lowerBound, "removed \(text.singleLine)", weakensApple: isMeaningful)
      return
    }
    let start = file.tokens[declaration.start].range.lowerBound
    let end = file.lineEnd
    if let indentation = file.indentation(start) {
      let place = file.lineStart(start)
      let lines = ["#if canImport(ObjectiveC)", text, "#endif"].map { indentation + $0 + end }
      draft.replace(place..<place, with: lines.joined())
    } else {
      let indentation = file.lineIndentation(start)
      let lines = ["", "#if canImport(ObjectiveC)", text, "#endif", ""]
      draft.replace(start..<start, with: lines.joined(separator: end + indentation))
    }
    draft.changed(attribute.tokens.lowerBound, "\(text.singleLine) is now in #if canImport(ObjectiveC)")
  }

  /// Takes an attribute out with the space that it leaves.
  private static func remove(_ range: Range<Int>, _ draft: inout PortingDraft) {
    let file = draft.file
    let isFirst = file.indentation(range.lowerBound) != nil
    if let next = file.nextLine(range.upperBound) {
      if isFirst { return draft.replace(file.lineStart(range.lowerBound)..<next, with: "") }
      var start = range.lowerBound
      while start > 0, [UInt8(ascii: " "), UInt8(ascii: "\t")].contains(file.bytes[start - 1]) { start -= 1 }
      return draft.replace(start..<range.upperBound, with: "")
    }
    let end = file.skipBlanks(range.upperBound)
    let touches =
      end == range.upperBound && range.lowerBound > 0 && !isFirst
      && !PortingFile.isSpace(file.bytes[range.lowerBound - 1])
    draft.replace(range.lowerBound..<end, with: touches ? " " : "")
  }

  /// A protocol of Objective-C's is one of classes, and code may hold it weakly.
  private static func confineToClasses(_ declaration: Declaration, _ draft: inout PortingDraft) {
    let confining: Set<String> = ["AnyObject", "class", "NSObjectProtocol"]
    guard !declaration.inheritance.contains(where: confining.contains) else { return }
    let file = draft.file
    let name = declaration.keywordIndex + 1
    if file.isMark(":", at: name + 1) {
      let end = file.tokens[name + 1].range.upperBound
      draft.replace(end..<end, with: " AnyObject,")
    } else {
      let end = file.tokens[name].range.upperBound
      draft.replace(end..<end, with: ": AnyObject")
    }
    draft.changed(name, "protocol \(declaration.name) is now AnyObject's, as @objc made it")
  }

  private static func remarkOthers(_ handled: Set<Int>, _ draft: inout PortingDraft) {
    let file = draft.file
    for index in file.tokens.indices where file.isCompiled[index] && !handled.contains(index) {
      guard file.isMark("@", at: index), let name = file.token(index + 1), names.contains(name.text),
        file.tokens[index].range.upperBound == name.range.lowerBound,
        !file.declarations.contains(where: { $0.attributes.contains { $0.tokens.lowerBound == index } })
      else { continue }
      draft.remark(index, "@\(name.text): no declaration was found behind it", cure: "take it out by hand")
    }
  }
}

internal import ModelCompiler

/// Uses of what Linux does not have, each with what to use instead.
enum ExpressionRemarks {
  static let observingCure =
    "observe NSManagedObjectContextObjectsDidChange of its context, or override didChangeValue(forKey:) in its class"

  static func apply(to draft: inout PortingDraft) {
    let file = draft.file
    for index in file.tokens.indices where file.isCompiled[index] && file.tokens[index].isName {
      // Names that are declared here are not uses.
      if index > 0, file.isWord("func", at: index - 1) || file.isWord("class", at: index - 1) { continue }
      guard let (what, cure) = finding(file, index) else { continue }
      draft.remark(index, what, cure: cure)
    }
  }

  private static func finding(_ file: PortingFile, _ index: Int) -> (what: String, cure: String)? {
    let name = file.tokens[index].text
    if name.hasPrefix("NSPersistentCloudKitContainer") {
      return (
        "\(name): there is no CloudKit on Linux",
        "use NSPersistentContainer there, chosen by #if canImport(CloudKit); its name, descriptions and contexts are the same"
      )
    }
    if name == "NSKeyValueObservation" || name == "NSKeyValueObservingOptions" {
      return ("\(name): Linux has no key-value observing", observingCure)
    }
    if isModelExtension(file, index, name) {
      return (
        "\(name): \(file.tokens[index + 2].text): models are compiled into the module on Linux, and lie in no bundle",
        "use NSPersistentContainer(name:), or NSManagedObjectModel.mergedModel(from: [Bundle.main])"
      )
    }
    guard file.isMark("(", at: index + 1) else { return nil }
    return observing(file, index, name) ?? calling(file, index, name)
  }

  /// Whether a label and what follows ask a bundle for a compiled model.
  private static func isModelExtension(_ file: PortingFile, _ index: Int, _ name: String) -> Bool {
    guard name == "withExtension" || name == "ofType", file.isMark(":", at: index + 1) else { return false }
    return ["\"momd\"", "\"mom\""].contains(file.token(index + 2)?.text)
  }

  private static func observing(_ file: PortingFile, _ index: Int, _ name: String) -> (String, String)? {
    switch name {
    case "observe" where file.isMark(".", at: index - 1) && file.isMark("\\", at: index + 2):
      return ("observe(\\…): Linux has no key-value observing", observingCure)
    case "addObserver", "removeObserver":
      guard hasLabel("forKeyPath", file, index + 1) else { return nil }
      return ("\(name)(_:forKeyPath:): Linux has no key-value observing", observingCure)
    case "publisher" where file.isMark(".", at: index - 1) && file.isWord("for", at: index + 2):
      return (
        "publisher(for:): there is no Combine on Linux",
        "iterate NotificationCenter.default.notifications(named:object:) in a task, or keep it in #if canImport(Combine)"
      )
    default: return nil
    }
  }

  private static func calling(_ file: PortingFile, _ index: Int, _ name: String) -> (String, String)? {
    switch name {
    case "NSClassFromString":
      guard let argument = file.token(index + 2), argument.kind == .literal, file.isMark(")", at: index + 3),
        argument.text.hasPrefix("\""), !argument.text.contains(".")
      else { return nil }
      return (
        "NSClassFromString(\(argument.text)): Linux finds classes by module and name",
        "write \"Module.\(argument.text.dropFirst().dropLast())\", which both find"
      )
    case "perform":
      let isSelector =
        file.macroParenthesis("selector", at: index + 2) != nil
        || ["Selector", "NSSelectorFromString"].contains(file.token(index + 2)?.text)
      return isSelector ? selectorCall("perform(_:)") : nil
    case "performSelector": return selectorCall("performSelector")
    case "responds" where file.isWord("to", at: index + 2): return selectorCall("responds(to:)")
    case "objc_getAssociatedObject", "objc_setAssociatedObject", "class_getInstanceMethod",
      "method_exchangeImplementations":
      return ("\(name): Linux has no Objective-C runtime", "keep the value in a stored property of the class")
    default: return nil
    }
  }

  private static func selectorCall(_ name: String) -> (String, String) {
    ("\(name): Linux has no selectors to call", "call the method, or pass a closure")
  }

  /// Whether a call's parentheses hold an argument of a label, at their own level.
  private static func hasLabel(_ label: String, _ file: PortingFile, _ open: Int) -> Bool {
    guard let close = file.closing(open) else { return false }
    var index = open + 1
    while index < close {
      if file.isWord(label, at: index), file.isMark(":", at: index + 1) { return true }
      let opens = file.isMark("(", at: index) || file.isMark("[", at: index) || file.isMark("{", at: index)
      if opens, let end = file.closing(index) { index = end }
      index += 1
    }
    return false
  }
}

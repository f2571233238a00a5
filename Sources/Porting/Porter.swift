/// Ports Swift sources that use Core Data on Apple's platforms to Linux, in a way that leaves them compiling on Apple's.
///
/// It takes out what Linux has no Objective-C for, writes the rest in the form that both understand, and says of
/// everything else where it is and what to do. Strings, comments, and code that conditions keep from Linux are left as
/// they are; a second run changes nothing.
public enum Porter {
  /// How to port.
  public struct Options: Sendable {
    /// Whether `@objc` stays for Apple's platforms, inside `#if canImport(ObjectiveC)`, wherever its absence would
    /// change what the program does there.
    public var guardsAttributes: Bool

    public init(guardsAttributes: Bool = false) { self.guardsAttributes = guardsAttributes }
  }

  /// Ports files that belong together: a name in one may decide about a declaration in another.
  ///
  /// - Parameter files: paths, for messages, and contents in UTF-8, with or without a byte order mark.
  public static func port(_ files: [(path: String, bytes: [UInt8])], options: Options = Options()) -> [PortedFile] {
    let read: [PortingFile] = files.map { PortingFile(path: $0.path, bytes: $0.bytes) }
    let facts = ProjectFacts(read)
    return read.map { file in
      var draft = PortingDraft(file)
      ObjectiveCAttributeRule.apply(to: &draft, facts, options)
      KeyPathRule.apply(to: &draft, facts)
      SelectorRule.apply(to: &draft)
      RequestCastRule.apply(to: &draft, facts)
      InitializerRule.apply(to: &draft, facts)
      ImportRule.apply(to: &draft)
      DeclarationRemarks.apply(to: &draft, facts)
      ExpressionRemarks.apply(to: &draft)
      return draft.finished()
    }
  }
}

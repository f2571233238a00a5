internal import ModelCompiler

/// A local request that is cast to `NSFetchRequest<NSFetchRequestResult>`: when nothing else needs its results' type, it
/// can be declared as what it is cast to.
struct LocalRequest {
  /// `let` or `var`.
  let keyword: Int
  let file: PortingFile
  private let name: Int
  /// The `NSFetchRequest<T>` behind the colon, if the type is written.
  private let annotation: ClosedRange<Int>?
  /// The `<T>` of `NSFetchRequest<T>(entityName:)`, if it is made that way.
  private let constructed: ClosedRange<Int>?
  private let casts: [ClosedRange<Int>]

  static let erased = "NSFetchRequest<NSFetchRequestResult>"

  /// The declaration of the name that stands before a cast, if it may be changed.
  init?(castAt asIndex: Int, in file: PortingFile) {
    guard let used = file.token(asIndex - 1), used.isName, !file.isMark(".", at: asIndex - 2),
      let keyword = Self.declaration(of: used.text, before: asIndex - 1, file),
      !file.declarations.contains(where: { $0.keywordIndex == keyword && $0.scope != nil }),
      let end = Self.scopeEnd(keyword, file)
    else { return nil }
    self.keyword = keyword
    self.file = file
    name = keyword + 1
    var index = keyword + 2
    annotation = file.isMark(":", at: index) ? Self.requestType(index + 1, file) : nil
    if file.isMark(":", at: index) {
      guard let annotation else { return nil }
      index = annotation.upperBound + 1
    }
    guard file.isMark("=", at: index), let made = Self.maker(index + 1, file, isTyped: annotation != nil) else {
      return nil
    }
    constructed = made.angles
    guard let casts = Self.casts(of: used.text, in: made.end + 1..<end, file) else { return nil }
    self.casts = casts
  }

  func rewrite(_ draft: inout PortingDraft) {
    if let annotation {
      draft.replace(file.byteRange(annotation), with: Self.erased)
    } else if constructed == nil {
      let place = file.tokens[name].range.upperBound
      draft.replace(place..<place, with: ": \(Self.erased)")
    }
    if let constructed { draft.replace(file.byteRange(constructed), with: "<NSFetchRequestResult>") }
    let label = file.tokens[name].text
    draft.changed(keyword, "\(label) is now an \(Self.erased), as it is cast to")
    for cast in casts {
      let start = file.tokens[cast.lowerBound - 1].range.upperBound
      draft.replace(start..<file.tokens[cast.upperBound].range.upperBound, with: "")
      draft.changed(cast.lowerBound, "removed \(file.text(cast).singleLine) behind \(label)")
    }
  }

  // MARK: reading

  /// The `let` or `var` of a name, looking outwards from a place.
  private static func declaration(of name: String, before place: Int, _ file: PortingFile) -> Int? {
    var index = place - 1
    while index > 0 {
      if file.isMark("}", at: index) {
        guard let open = file.opening(index) else { return nil }
        index = open
      } else if file.tokens[index].isName, file.tokens[index].text == name,
        file.isWord("let", at: index - 1) || file.isWord("var", at: index - 1)
      {
        // `if let request` binds; it makes nothing.
        let before = file.token(index - 2)
        return before?.text == "if" || before?.text == "guard" || before?.text == "," ? nil : index - 1
      }
      index -= 1
    }
    return nil
  }

  /// Where the braces around a declaration end.
  private static func scopeEnd(_ place: Int, _ file: PortingFile) -> Int? {
    var depth = 0
    for index in place..<file.tokens.count {
      if file.isMark("{", at: index) { depth += 1 }
      if file.isMark("}", at: index) {
        depth -= 1
        if depth < 0 { return index }
      }
    }
    return nil
  }

  private static func requestType(_ index: Int, _ file: PortingFile) -> ClosedRange<Int>? {
    guard file.isWord("NSFetchRequest", at: index), let end = file.closingAngle(index + 1) else { return nil }
    return index...end
  }

  /// What makes the request: `X.fetchRequest()`, `NSFetchRequest<X>(entityName: …)`, or without `<X>` where the type is
  /// written.
  private static func maker(
    _ index: Int, _ file: PortingFile, isTyped: Bool
  ) -> (angles: ClosedRange<Int>?, end: Int)? {
    if file.isWord("NSFetchRequest", at: index) {
      let end = file.closingAngle(index + 1)
      let open = (end ?? index) + 1
      guard end != nil || isTyped, file.isMark("(", at: open), let close = file.closing(open) else { return nil }
      return (end.map { index + 1...$0 }, close)
    }
    var last = index
    guard file.token(last)?.isName == true else { return nil }
    while file.isMark(".", at: last + 1), file.token(last + 2)?.isName == true { last += 2 }
    guard last > index, file.isWord("fetchRequest", at: last), file.isMark("(", at: last + 1),
      file.isMark(")", at: last + 2), file.tokens[index].text.first?.isUppercase == true
    else { return nil }
    return (nil, last + 2)
  }

  /// The casts of a name in a range, if it is used for nothing else that would notice another type.
  private static func casts(of name: String, in range: Range<Int>, _ file: PortingFile) -> [ClosedRange<Int>]? {
    var casts: [ClosedRange<Int>] = []
    for index in range where file.tokens[index].isName && file.tokens[index].text == name {
      if file.isMark(".", at: index - 1) { continue }
      let isLabel =
        file.isMark(":", at: index + 1) && (file.isMark("(", at: index - 1) || file.isMark(",", at: index - 1))
      if isLabel { continue }
      if file.isMark(".", at: index + 1), !file.isWord("execute", at: index + 2) { continue }
      guard file.isWord("as", at: index + 1), file.isMark("!", at: index + 2),
        let type = requestType(index + 3, file), isErased(file.text(type.lowerBound + 1...type.upperBound)),
        file.isCompiled[index], !file.hasComment(index...type.upperBound)
      else { return nil }
      casts.append(index + 1...type.upperBound)
    }
    return casts
  }

  private static func isErased(_ angles: String) -> Bool {
    angles == "<NSFetchRequestResult>" || angles == "<any NSFetchRequestResult>"
  }
}

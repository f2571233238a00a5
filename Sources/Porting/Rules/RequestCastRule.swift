internal import ModelCompiler

/// `as! NSFetchRequest<T>` traps on Linux, where generic classes of different parameters are different classes: the
/// request is made with the parameter it is cast to instead, where the cast stands beside what makes it.
enum RequestCastRule {
  private static let generic: Set<String> = [
    "NSFetchRequest", "NSFetchedResultsController", "NSAsynchronousFetchRequest", "NSAsynchronousFetchResult",
  ]

  private struct Cast {
    let asIndex: Int
    let angle: Int
    let end: Int
    let isForced: Bool
  }

  static func apply(to draft: inout PortingDraft, _ facts: ProjectFacts) {
    let file = draft.file
    var declared: Set<Int> = []
    for index in file.tokens.indices where file.isCompiled[index] && file.isWord("as", at: index) {
      let isForced = file.isMark("!", at: index + 1)
      guard isForced || file.isMark("?", at: index + 1), let name = file.token(index + 2), generic.contains(name.text),
        let end = file.closingAngle(index + 3)
      else { continue }
      let cast = Cast(asIndex: index, angle: index + 3, end: end, isForced: isForced)
      if name.text == "NSFetchRequest", isForced, index > 0, rewrite(cast, &draft, facts) { continue }
      if name.text == "NSFetchRequest", isForced, let local = LocalRequest(castAt: index, in: file) {
        // The first of a request's casts takes the others along.
        if declared.insert(local.keyword).inserted { local.rewrite(&draft) }
        continue
      }
      let target = file.text(index + 2...end).singleLine
      draft.remark(
        index,
        "\(file.text(index...end).singleLine) \(isForced ? "traps" : "gives nil") on Linux, where generic classes are as "
          + "different as their parameters",
        cure: "make it as \(target) in the first place; what takes an erased one on Linux takes any")
    }
  }

  private static func rewrite(_ cast: Cast, _ draft: inout PortingDraft, _ facts: ProjectFacts) -> Bool {
    let file = draft.file
    let close = cast.asIndex - 1
    guard file.isMark(")", at: close), let open = file.opening(close), open > 0 else { return false }
    if file.isMark(">", at: open - 1), rewriteConstructed(cast, open, &draft) { return true }
    guard file.isWord("fetchRequest", at: open - 1), open + 1 == close, file.isMark(".", at: open - 2),
      let type = file.token(open - 3), type.isName, type.text.first?.isUppercase == true
    else { return false }
    let whole = start(ofTypeEndingAt: open - 3, file)...cast.end
    guard !file.hasComment(whole) else { return false }
    let was = file.text(whole).singleLine
    let typeName = file.text(whole.lowerBound...open - 3)
    let target = file.text(cast.angle + 1...cast.end - 1)
    let isErased = target == "NSFetchRequestResult" || target == "any NSFetchRequestResult"
    if isErased || (target == typeName && facts.typedRequests.contains(type.text)) {
      let mark = file.tokens[cast.asIndex + 1].range
      draft.replace(mark, with: "")
      draft.changed(cast.asIndex, "\(was): as! is now as, which chooses the request instead of casting it")
      return true
    }
    guard target == typeName else { return false }
    let made = "NSFetchRequest<\(target)>(entityName: \(typeName).entity().name!)"
    draft.replace(file.byteRange(whole), with: made)
    draft.changed(cast.asIndex, "\(was) is now \(made)")
    return true
  }

  /// `NSFetchRequest<A>(entityName: "X") as! NSFetchRequest<B>` becomes `NSFetchRequest<B>(entityName: "X")`.
  private static func rewriteConstructed(_ cast: Cast, _ open: Int, _ draft: inout PortingDraft) -> Bool {
    let file = draft.file
    guard file.isWord("entityName", at: open + 1), file.isMark(":", at: open + 2) else { return false }
    var angle = open - 1
    while angle > 0, !file.isMark("<", at: angle) || file.closingAngle(angle) != open - 1 { angle -= 1 }
    guard angle > 0, file.isWord("NSFetchRequest", at: angle - 1), !file.isMark(".", at: angle - 2),
      !file.hasComment(cast.asIndex - 1...cast.end), !file.hasComment(angle...open)
    else { return false }
    let was = file.text(angle - 1...cast.end).singleLine
    let target = file.text(cast.angle...cast.end)
    draft.replace(file.byteRange(angle...open - 1), with: target)
    let castStart = file.tokens[cast.asIndex - 1].range.upperBound
    draft.replace(castStart..<file.tokens[cast.end].range.upperBound, with: "")
    draft.changed(cast.asIndex, "\(was) is now made as NSFetchRequest\(target.singleLine)")
    return true
  }

  private static func start(ofTypeEndingAt index: Int, _ file: PortingFile) -> Int {
    var start = index
    while file.isMark(".", at: start - 1), file.token(start - 2)?.isName == true { start -= 2 }
    return start
  }
}

internal import ModelCompiler

/// `#keyPath(Post.author.name)` becomes `"author.name"`.
enum KeyPathRule {
  static func apply(to draft: inout PortingDraft, _ facts: ProjectFacts) {
    let file = draft.file
    for index in file.tokens.indices where file.isCompiled[index] {
      guard let open = file.macroParenthesis("keyPath", at: index), let close = file.closing(open) else { continue }
      guard let path = keyPath(file, open + 1..<close, facts), !file.hasComment(index...close),
        !touchesString(file, file.byteRange(index...close))
      else {
        draft.remark(
          index, "\(file.text(index...close).singleLine): Linux has no #keyPath", cure: "write its string")
        continue
      }
      draft.replace(file.byteRange(index...close), with: "\"\(path)\"")
      draft.changed(index, "\(file.text(index...close).singleLine) is now \"\(path)\"")
    }
  }

  /// Whether a quote put there would join what stands before it; no file that compiles has that.
  private static func touchesString(_ file: PortingFile, _ range: Range<Int>) -> Bool {
    guard range.lowerBound > 0 else { return false }
    return [UInt8(ascii: "\""), UInt8(ascii: "#")].contains(file.bytes[range.lowerBound - 1])
  }

  /// Properties that Objective-C, and therefore `#keyPath`, calls otherwise.
  private static let renamed: Set<String> = ["isInserted", "isUpdated", "isDeleted", "isFault"]

  private static func keyPath(_ file: PortingFile, _ range: Range<Int>, _ facts: ProjectFacts) -> String? {
    var names: [String] = []
    var expectsName = true
    for token in file.tokens[range] {
      if token.isName, expectsName {
        names.append(token.text)
        expectsName = false
      } else if token.isPunctuation("."), !expectsName {
        expectsName = true
      } else if !token.isPunctuation("?") && !token.isPunctuation("!") || expectsName {
        return nil
      }
    }
    guard !expectsName else { return nil }
    if names.first == "self" { names.removeFirst() }
    // Types come first; a property's name begins in lower case, unless nothing follows it.
    while names.count > 1, names[0].first?.isUppercase == true { names.removeFirst() }
    guard !names.isEmpty, !names.contains(where: renamed.contains) else { return nil }
    var keys: [String] = []
    for name in names {
      switch facts.objectiveCNames[name] {
      case .none: keys.append(name)
      case .some(.some(let other)): keys.append(other)
      case .some(.none): return nil
      }
    }
    return keys.joined(separator: ".")
  }
}

extension String {
  /// Without line breaks, for messages.
  var singleLine: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}

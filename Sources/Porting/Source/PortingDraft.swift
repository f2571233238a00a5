/// The changes of one file while they are collected.
struct PortingDraft {
  struct Edit {
    let range: Range<Int>
    let replacement: String
  }

  let file: PortingFile
  private(set) var edits: [Edit] = []
  private(set) var notes: [PortingNote] = []

  init(_ file: PortingFile) { self.file = file }

  mutating func replace(_ range: Range<Int>, with replacement: String) {
    edits.append(Edit(range: range, replacement: replacement))
  }

  mutating func changed(_ token: Int, _ what: String, weakensApple: Bool = false) {
    note(.change, token, what, weakensApple: weakensApple)
  }

  mutating func remark(_ token: Int, _ what: String, cure: String) { note(.remark, token, what, cure: cure) }

  private mutating func note(
    _ kind: PortingNote.Kind, _ token: Int, _ what: String, cure: String = "", weakensApple: Bool = false
  ) {
    let place = file.tokens[token]
    notes.append(
      PortingNote(
        kind: kind, path: file.path, line: place.line, column: place.column, what: what, cure: cure,
        weakensApple: weakensApple))
  }

  /// The file with its edits applied.
  func finished() -> PortedFile {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(file.bytes.count)
    var position = 0
    let inOrder = edits.enumerated().sorted { left, right in
      let (a, b) = (left.element.range, right.element.range)
      if a.lowerBound != b.lowerBound { return a.lowerBound < b.lowerBound }
      // What is inserted goes before what is taken away there.
      if a.isEmpty != b.isEmpty { return a.isEmpty }
      return left.offset < right.offset
    }
    for (_, edit) in inOrder where edit.range.lowerBound >= position {
      bytes += file.bytes[position..<edit.range.lowerBound]
      bytes += Array(edit.replacement.utf8)
      position = edit.range.upperBound
    }
    bytes += file.bytes[position...]
    let ordered = notes.enumerated().sorted { left, right in
      let (a, b) = ((left.element.line, left.element.column), (right.element.line, right.element.column))
      return a == b ? left.offset < right.offset : a < b
    }
    return PortedFile(path: file.path, original: file.bytes, ported: bytes, notes: ordered.map(\.element))
  }
}

import FileSystem
import RecordStore
import Schema

/// A transaction as lines for a person or as one line of JSON.
struct TransactionPrinter {
  let store: OpenStore
  let filter: LogFilter
  let formatter: ValueFormatter
  /// 0: one line; 1: its changes as well; 2: the frame of its record as well.
  let verbosity: Int
  let output: Output

  /// Lines for a person, or one of JSON, without the last line's end.
  func text(of transaction: InspectedTransaction, previous: PreviousValues) throws -> String {
    if output.isJSON { return json(transaction, previous: previous).text }
    var lines = [summary(transaction)]
    if verbosity > 0 {
      for (name, value) in transaction.metadata {
        let text = value.map { "\"\(ValueFormatter.escaped($0))\"" } ?? "removed"
        lines.append("  metadata \(ValueFormatter.escaped(name)) \(text)")
      }
      for change in transaction.changes where filter.takes(change) {
        lines.append(text(change, previous: previous[change.key]))
      }
    }
    if verbosity > 1 { lines += try frame(transaction.record) }
    return lines.joined(separator: "\n")
  }

  /// Objects of which the text shows what the transaction replaced.
  func keysOfReplacedValues(_ transaction: InspectedTransaction) -> [ObjectKey] {
    guard verbosity > 0 else { return [] }
    let changes = transaction.changes.filter {
      ($0.operation == .update || $0.operation == .derive) && filter.takes($0)
    }
    return changes.map(\.key)
  }

  // MARK: Text

  private func summary(_ transaction: InspectedTransaction) -> String {
    let counts = Counts(transaction.changes)
    var parts = [
      output.styled(String(transaction.number), .number), TimeText.short(transaction.timestamp),
      transaction.author.map { ValueFormatter.escaped($0) } ?? "-",
      transaction.contextName.map { ValueFormatter.escaped($0) } ?? "-",
      "pid \(transaction.processID)",
      output.styled("+\(counts.inserted)", .added), output.styled("~\(counts.updated)", .changed),
      output.styled("-\(counts.deleted)", .removed),
    ]
    if counts.derived > 0 { parts.append("=\(counts.derived)") }
    let record = transaction.record
    parts.append("\(record.storedBytes) bytes")
    parts.append(output.styled("\(record.segment)+\(record.offsetBytes)", .faint))
    return parts.joined(separator: "  ")
  }

  private func text(_ change: InspectedChange, previous: [String: Value]?) -> String {
    let (sign, style): (String, Style) =
      switch change.operation {
      case .insert: ("+", .added)
      case .update: ("~", .changed)
      case .delete: ("-", .removed)
      case .derive: ("=", .faint)
      }
    var parts = [output.styled("  \(sign) \(store.inspection.name(of: change.key))", style)]
    for (name, value) in change.values ?? [] where shows(name, value, change) {
      var part = "\(name) "
      if change.operation == .update || change.operation == .derive, let before = previous?[name] {
        part += "\(formatter.text(before)) -> "
      }
      parts.append(part + formatter.text(value))
    }
    for links in change.links { parts.append(text(links)) }
    return parts.joined(separator: "  ")
  }

  /// Of an update what changed, of a derivation what the store computes, of other changes what is there.
  private func shows(_ name: String, _ value: Value, _ change: InspectedChange) -> Bool {
    switch change.operation {
    case .update: change.changedProperties.contains(name)
    case .derive: store.isDerived(name, of: change.entity)
    case .insert, .delete: !value.isNull
    }
  }

  private func text(_ links: InspectedChange.Links) -> String {
    let added = links.added.map { "+\(store.inspection.name(of: $0.key))" }
    let removed = links.removed.map { "-\(store.inspection.name(of: $0))" }
    return "\(links.relationship) {\((added + removed).joined(separator: " "))}"
  }

  private func frame(_ record: InspectedRecord) throws -> [String] {
    let kind = StoreFault.hexadecimal(UInt64(record.kind), 2)
    let place = "at byte \(record.offsetBytes) of \(record.segment)"
    var lines = ["  record kind \(kind) \(place), \(record.storedBytes) bytes, meta \(record.metaBytes) bytes"]
    for block in record.blocks {
      let tag = StoreFault.hexadecimal(UInt64(block.tag), 8)
      let packing = block.isPacked ? "packed, \(block.rawBytes) bytes unpacked" : "not packed"
      lines.append("    block tag \(tag) at byte \(block.offsetBytes), \(block.storedBytes) bytes, \(packing)")
    }
    let dump = try HexDump.lines(of: store.path + "/" + record.segment, at: record.offsetBytes, count: 64)
    return lines + dump.map { "    \($0)" }
  }

  // MARK: JSON

  private func json(_ transaction: InspectedTransaction, previous: PreviousValues) -> JSONObject {
    let counts = Counts(transaction.changes)
    var object = JSONObject(kind: "transaction")
    object.add("number", .integer(transaction.number))
    object.add("time", TimeText.json(transaction.timestamp))
    object.add("author", .text(transaction.author))
    object.add("context", .text(transaction.contextName))
    object.add("process", .integer(Int(transaction.processID)))
    object.add("inserted", .integer(counts.inserted))
    object.add("updated", .integer(counts.updated))
    object.add("deleted", .integer(counts.deleted))
    object.add("derived", .integer(counts.derived))
    object.add("bytes", .integer(transaction.record.storedBytes))
    object.add("segment", .string(transaction.record.segment))
    object.add("offset", .integer(transaction.record.offsetBytes))
    if verbosity > 0 {
      var metadata = JSONObject()
      for (name, value) in transaction.metadata { metadata.add(name, .text(value)) }
      object.add("metadata", .object(metadata))
      let changes = transaction.changes.filter { filter.takes($0) }
      object.add("changes", .array(changes.map { .object(json($0, previous: previous[$0.key])) }))
    }
    if verbosity > 1 { object.add("record", .object(json(transaction.record))) }
    return object
  }

  private func json(_ change: InspectedChange, previous: [String: Value]?) -> JSONObject {
    var object = JSONObject()
    object.add("op", .string(change.operation.rawValue))
    object.add("id", .string(store.inspection.name(of: change.key)))
    var values = JSONObject()
    var before = JSONObject()
    for (name, value) in change.values ?? [] where shows(name, value, change) {
      values.add(name, formatter.json(value))
      if change.operation == .update || change.operation == .derive, let old = previous?[name] {
        before.add(name, formatter.json(old))
      }
    }
    object.add("values", .object(values))
    if !before.isEmpty { object.add("before", .object(before)) }
    if !change.links.isEmpty {
      var links = JSONObject()
      for link in change.links { links.add(link.relationship, .object(json(link))) }
      object.add("links", .object(links))
    }
    return object
  }

  private func json(_ links: InspectedChange.Links) -> JSONObject {
    var object = JSONObject()
    let added = links.added.map { member in
      var entry = JSONObject()
      entry.add("id", .string(store.inspection.name(of: member.key)))
      entry.add("position", NumberText.json(member.position))
      return JSON.object(entry)
    }
    object.add("added", .array(added))
    object.add("removed", .array(links.removed.map { .string(store.inspection.name(of: $0)) }))
    return object
  }

  private func json(_ record: InspectedRecord) -> JSONObject {
    var object = JSONObject()
    object.add("kind", .integer(Int(record.kind)))
    object.add("meta_bytes", .integer(record.metaBytes))
    let blocks = record.blocks.map { block in
      var entry = JSONObject()
      entry.add("tag", .integer(Int(block.tag)))
      entry.add("offset", .integer(block.offsetBytes))
      entry.add("raw_bytes", .integer(block.rawBytes))
      entry.add("stored_bytes", .integer(block.storedBytes))
      entry.add("packed", .bool(block.isPacked))
      return JSON.object(entry)
    }
    object.add("blocks", .array(blocks))
    return object
  }
}

/// How many changes of each kind a transaction has.
private struct Counts {
  var inserted = 0
  var updated = 0
  var deleted = 0
  var derived = 0

  init(_ changes: [InspectedChange]) {
    for change in changes {
      switch change.operation {
      case .insert: inserted += 1
      case .update: updated += 1
      case .delete: deleted += 1
      case .derive: derived += 1
      }
    }
  }
}

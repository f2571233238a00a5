import Foundation

enum CellValue {
  case text(String)
  case number(Int64)
  case kibibytes(Int64)

  var shown: String {
    switch self {
    case .text(let text): text
    case .number(let number): String(number)
    case .kibibytes(let size):
      size < 10_000 ? "\(size) KiB" : size < 10_000_000 ? "\(size / 1024) MiB" : "\(size / 1_048_576) GiB"
    }
  }

  var json: Any {
    switch self {
    case .text(let text): text
    case .number(let number), .kibibytes(let number): number
    }
  }
}

/// How rows are printed: a table for people, or one JSON object a line.
enum OutputFormat: String {
  case table
  case json

  init(_ name: String?) throws {
    guard let name else {
      self = .table
      return
    }
    guard let format = OutputFormat(rawValue: name) else {
      throw UsageError("--format takes table or json, found \"\(name)\"")
    }
    self = format
  }

  func print(columns: [String], rows: [[CellValue]]) {
    switch self {
    case .table: printTable(columns, rows)
    case .json:
      for row in rows {
        let object = Dictionary(zip(columns, row.map(\.json)), uniquingKeysWith: { first, _ in first })
        let data = try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
        Swift.print(String(decoding: data ?? Data(), as: UTF8.self))
      }
    }
  }

  private func printTable(_ columns: [String], _ rows: [[CellValue]]) {
    guard !rows.isEmpty else { return }
    let shown = [columns] + rows.map { $0.map(\.shown) }
    let widths = columns.indices.map { column in min(40, shown.map { $0[column].count }.max() ?? 0) }
    for line in shown {
      let cells = line.enumerated().map { column, text in
        column == columns.count - 1
          ? text : text.padding(toLength: max(widths[column], text.count), withPad: " ", startingAt: 0)
      }
      Swift.print(cells.joined(separator: "  "))
    }
  }
}

import FileSystem
import LogStore

let directory = CommandLine.arguments.dropFirst().first ?? "Journal.log"

// What was there is read once at opening, each record checked; then records are appended, each durable on return.
var lines: [String] = []
let log = try LogStore.open(directory, in: DiskFileSystem()) { record in
  lines.append(String(decoding: record.meta, as: UTF8.self))
}
for line in ["started", "did something", "stopped"] {
  try log.append(kind: 16) { number in RecordContent(meta: Array("\(number): \(line)".utf8)) }
}
try log.visitRecords(after: UInt64(lines.count)) { record in
  print(String(decoding: record.meta, as: UTF8.self))
}
try log.close()

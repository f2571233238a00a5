import FileSystem

/// Bytes of a file as they are, sixteen a line.
enum HexDump {
  static func lines(of path: String, at offsetBytes: UInt64, count: Int) throws -> [String] {
    let file = try DiskFileSystem().open(path, .read)
    defer { try? file.close() }
    var bytes = [UInt8](repeating: 0, count: count)
    let read = try bytes.withUnsafeMutableBytes { buffer throws(FileError) in
      try file.read(at: offsetBytes, into: buffer)
    }
    return stride(from: 0, to: read, by: 16).map { start in
      let row = bytes[start..<min(start + 16, read)]
      let digits = row.map { ValueFormatter.hexadecimal($0) }.joined(separator: " ")
      let text = row.map { (0x20..<0x7F).contains($0) ? String(UnicodeScalar($0)) : "." }.joined()
      let place = String(offsetBytes + UInt64(start), radix: 16)
      let padding = String(repeating: " ", count: 47 - digits.count)
      return "\(String(repeating: "0", count: max(0, 8 - place.count)))\(place)  \(digits)\(padding)  \(text)"
    }
  }
}

internal import Foundation

/// The keys of a key path. `#` before one is the format's escape and not part of it.
func keyComponents(_ path: String) -> [String] {
  path.split(separator: ".", omittingEmptySubsequences: true).map { part in
    String(part.first == "#" ? part.dropFirst() : part)
  }
}

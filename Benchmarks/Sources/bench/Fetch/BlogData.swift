import Foundation

/// Made-up posts: their texts as in the storage workloads, each with up to four tags and an attachment for every second.
struct BlogData {
  let count: Int
  private let words = Vocabulary()
  let tagNames: [String] = (0..<1000).map { String(format: "tag%04d", $0) }

  init(count: Int) { self.count = count }

  var batches: [Range<Int>] {
    stride(from: 1, through: count, by: 10_000).map { $0..<min($0 + 10_000, count + 1) }
  }

  func post(_ number: Int) -> Post { Post(number, words) }

  func author(_ number: Int) -> String { "author \(number &* 7919 % 5000)" }

  func language(_ number: Int) -> String { ["en", "de", "fr", "sv"][number & 3] }

  /// Places in `tagNames`, each once.
  func tags(_ number: Int) -> [Int] {
    var random = SplitMix(state: UInt64(number) &+ 0x7A65)
    var tags: [Int] = []
    for _ in 0..<random.next() % 5 {
      let tag = Int(random.next() % UInt64(tagNames.count))
      if !tags.contains(tag) { tags.append(tag) }
    }
    return tags
  }

  func attachments(_ number: Int) -> [(name: String, size: Int64)] {
    number % 2 == 0 ? [("picture \(number).jpeg", Int64(number &* 31 % 100_000))] : []
  }
}

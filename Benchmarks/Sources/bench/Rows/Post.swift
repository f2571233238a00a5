/// A row of the storage workloads: about 380 bytes, most of it text of made-up words in the proportions of natural ones.
struct Post {
  static let tags = 100
  static let viewsMax = 1_000_000
  /// Hidden in one body of a thousand.
  static let needle = "xyzneedle"

  let id: Int64
  let views: Int64
  let tag: Int64
  let score: Double
  let date: Double
  let title: String
  let body: String

  var payloadBytes: Int { 32 + title.utf8.count + body.utf8.count }

  /// The post with a number: the same in every run and for every engine.
  init(_ number: Int, _ words: Vocabulary) {
    var seed = SplitMix(state: UInt64(number))
    var random = SplitMix(state: seed.next())
    let first = random.next()
    id = Int64(number)
    views = Int64(random.next() % UInt64(Post.viewsMax))
    tag = Int64(first % UInt64(Post.tags))
    score = Double(random.next() >> 11) / 9_007_199_254_740_992 * 100
    date = 7.0e8 + Double(number * 37) + Double(first >> 44) / 4096
    title = words.text(30 + Int(first >> 8 % 16), &random)
    var text = words.text(240 + Int(first >> 16 % 120), &random)
    if first >> 32 % 1000 == 0 { text += Post.needle }
    body = text
  }
}

struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

/// 8,192 words, of which the frequent ones are short and few.
struct Vocabulary {
  private var words: [[UInt8]] = []
  private var ranks: [Int] = []

  init() {
    let starts = [
      "t", "n", "s", "r", "l", "d", "m", "p", "c", "st", "th", "w", "b", "f", "g", "h", "k", "v", "tr", "ch",
    ]
    let middles = ["e", "a", "o", "i", "u", "ea", "ou", "ai", "io", "e"]
    let ends = ["", "n", "s", "r", "t", "l", "d", "ng", "nt", "st", "", ""]
    var random = SplitMix(state: 42)
    for rank in 0..<8192 {
      let syllables = rank < 64 ? 1 : rank < 1024 ? 1 + Int(random.next() % 2) : 2 + Int(random.next() % 2)
      var word = ""
      for syllable in 0..<syllables {
        let draw = random.next()
        word += starts[Int(draw % 20)] + middles[Int(draw >> 8 % 10)]
        if syllable == syllables - 1 { word += ends[Int(draw >> 16 % 12)] }
      }
      words.append(Array(word.utf8))
    }
    // Word of rank r comes up in proportion to 1 / (r + 2.7).
    let total = (0..<8192).reduce(0.0) { $0 + 1 / (Double($1) + 2.7) }
    var sum = 0.0
    for rank in 0..<8192 {
      sum += 1 / (Double(rank) + 2.7) / total
      while ranks.count < 65_536, Double(ranks.count) < sum * 65_536 { ranks.append(rank) }
    }
    while ranks.count < 65_536 { ranks.append(8191) }
  }

  func text(_ bytes: Int, _ random: inout SplitMix) -> String {
    String(unsafeUninitializedCapacity: bytes + 64) { buffer in
      var count = 0
      while count < bytes {
        var draw = random.next()
        for _ in 0..<4 where count < bytes {
          for byte in words[ranks[Int(draw & 0xFFFF)]] {
            buffer[count] = byte
            count += 1
          }
          buffer[count] = 0x20
          count += 1
          draw >>= 16
        }
      }
      return count
    }
  }
}

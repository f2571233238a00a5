import LogStore

/// The addresses of a store's blocks as a checkpoint has them: 256 a page, in the order of their numbers.
struct BlockPages: Sendable {
  static let addressesEach = PageFile.pageBytes / 8

  let file: PageFile
  let firstPage: Int
  let count: Int

  static func pageCount(_ count: Int) -> Int { (count + addressesEach - 1) / addressesEach }

  /// Costs a checksum of the page: few ask, for a block that is at hand needs no address.
  subscript(number: Int) -> BlockAddress? {
    guard number >= 0, number < count else { return nil }
    let page = firstPage + number / Self.addressesEach
    if let words = file.page(page) {
      let raw = words.load(fromByteOffset: number % Self.addressesEach * 8, as: UInt64.self)
      return BlockAddress(rawValue: UInt64(littleEndian: raw))
    }
    guard let contents = file.repaired(because: page), number < contents.addresses.count else { return nil }
    return contents.addresses[number]
  }
}

/// Addresses of blocks by number: those of a checkpoint, and those that came after it. A value, cheap to keep: what is
/// appended later copies a chunk and the list of chunks.
struct BlockAddresses: Sendable {
  private static let chunkCount = 256

  let base: BlockPages?
  private var chunks: [[BlockAddress]] = []
  private(set) var count: Int

  init(_ base: BlockPages? = nil, _ addresses: [BlockAddress] = []) {
    self.base = base
    count = base?.count ?? 0
    for address in addresses { append(address) }
  }

  mutating func append(_ address: BlockAddress) {
    if (chunks.last?.count ?? Self.chunkCount) == Self.chunkCount {
      var chunk: [BlockAddress] = []
      chunk.reserveCapacity(Self.chunkCount)
      chunks.append(chunk)
    }
    chunks[chunks.count - 1].append(address)
    count += 1
  }

  subscript(number: Int) -> BlockAddress? {
    guard number >= 0, number < count else { return nil }
    let baseCount = base?.count ?? 0
    if number < baseCount { return base?[number] }
    let place = number - baseCount
    return chunks[place / Self.chunkCount][place % Self.chunkCount]
  }
}

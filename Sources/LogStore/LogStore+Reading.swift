extension LogStore {
  /// The block at an address that this log gave out. Its checksum is compared when it comes from the medium.
  ///
  /// Costs a look into the cache; else a checksum of the block, and unpacking it when it is packed.
  public func block(at address: BlockAddress) throws(LogError) -> Block {
    if let block = cache.block(at: address) { return block }
    let segment = try segment(address.segment)
    let (bytes, owner) = try blockBytes(segment, address)
    guard let header = BlockCoding.header(bytes, at: 0) else {
      throw LogError(
        .invalidAddress, "There is no block at this place.", path: segment.path, offsetBytes: address.offsetBytes)
    }
    let found = BlockCoding.checksum(bytes, at: 0, header)
    guard found == header.checksum else {
      throw LogError(
        .damaged, "A block's checksum differs: its bytes changed after they were written.", path: segment.path,
        offsetBytes: address.offsetBytes, expectedChecksum: header.checksum, foundChecksum: found)
    }
    let block: Block
    do {
      block = try BlockCoding.block(bytes, at: 0, header, owner: owner)
    } catch {
      throw .malformed(segment.path, address.offsetBytes, cause: error)
    }
    cache.insert(block, at: address)
    return block
  }

  /// Visits the records behind `number`, in order, up to the last durable one when the call began.
  /// - Throws: `LogError`; an error of `visit` is its `cause`, with code `stoppedByVisitor`.
  public func visitRecords(
    after number: UInt64, _ visit: (borrowing RecordReader) throws -> Void
  ) throws(LogError) {
    let last = lastNumber
    guard number < last else { return }
    var next = number + 1
    while next <= last {
      try visitRecord(next, visit)
      next += 1
    }
  }

  /// Visits one record.
  public func visitRecord(_ number: UInt64, _ visit: (borrowing RecordReader) throws -> Void) throws(LogError) {
    let (address, segment) = try place(ofRecord: number)
    let (head, headOwner) = try segment.bytes(at: address.offsetBytes, byteCount: FormatLimits.recordHeaderBytes)
    let bodyBytes = withExtendedLifetime(headOwner) { Int(clamping: head.uint64(8)) }
    let byteCount = FormatLimits.recordHeaderBytes + FormatLimits.recordTrailerBytes + bodyBytes
    let (bytes, owner) = try segment.bytes(at: address.offsetBytes, byteCount: byteCount)
    let record = try check(bytes.slice(0, byteCount), segment, address)
    let reader = try RecordReader(
      record, bytes.slice(0, byteCount), segment: address.segment, owner: owner, path: segment.path)
    do {
      try visit(reader)
    } catch {
      throw LogError(
        .stoppedByVisitor, "Reading stopped at record \(number): \(error)", path: segment.path,
        offsetBytes: address.offsetBytes, cause: error)
    }
  }

  /// Where a durable record starts. Finding one before the place that the log was opened from costs a walk along the
  /// headers in its segment, the first time.
  func place(ofRecord number: UInt64) throws(LogError) -> (BlockAddress, Segment) {
    let (known, before): (BlockAddress?, Segment?) = published.withLock { published in
      guard number > 0, number <= published.lastNumber else { return (nil, nil) }
      if let address = published.index[number] { return (address, nil) }
      return (nil, published.segments.last { $0.header.firstNumber <= number })
    }
    if let known { return (known, try segment(known.segment)) }
    guard let before else {
      throw LogError(.invalidAddress, "There is no record \(number) in the log.", path: directory)
    }
    let seed = SegmentHeader.seed(of: storeUUID, sequence: before.sequence)
    let offset = try before.offset(ofRecord: number, seed: seed)
    return (BlockAddress(segment: before.sequence, offsetBytes: offset), before)
  }

  /// The header of a record that was whole when the log was opened; it may have changed on the medium since.
  private func check(
    _ bytes: UnsafeRawBufferPointer, _ segment: Segment, _ address: BlockAddress
  ) throws(LogError) -> RecordHeader {
    let seed = SegmentHeader.seed(of: storeUUID, sequence: segment.sequence)
    let damaged = LogError(
      .damaged, "A record's checksum differs: its bytes changed after they were written.", path: segment.path,
      offsetBytes: address.offsetBytes)
    guard let header = RecordHeader(bytes, writtenFor: address.offsetBytes, seed: seed),
      header.storedBytes == UInt64(bytes.count)
    else { throw damaged }
    let found = bytes.recordHash(seed: header.previousHash)
    guard found == bytes.uint64(bytes.count - 8) else { throw damaged }
    return header
  }

  private func blockBytes(
    _ segment: Segment, _ address: BlockAddress
  ) throws(LogError) -> (UnsafeRawBufferPointer, AnyObject) {
    let (bytes, owner) = try segment.bytes(at: address.offsetBytes, byteCount: FormatLimits.blockHeaderBytes)
    // A part that was read, not mapped, has only what was asked for.
    let stored = Int(clamping: bytes.uint64(24))
    let span = FormatLimits.blockHeaderBytes + min(stored, FormatLimits.blockRawBytesMax + 1)
    let needed = FormatLimits.aligned(span)
    return bytes.count >= needed ? (bytes, owner) : try segment.bytes(at: address.offsetBytes, byteCount: needed)
  }

  private func segment(_ sequence: UInt64) throws(LogError) -> Segment {
    let segment: Segment? = published.withLock { published in
      guard sequence >= 1, sequence <= UInt64(published.segments.count) else { return nil }
      return published.segments[Int(sequence - 1)]
    }
    guard let segment else {
      throw LogError(.invalidAddress, "The log has no segment \(sequence).", path: directory)
    }
    return segment
  }
}

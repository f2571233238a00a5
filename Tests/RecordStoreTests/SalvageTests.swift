import FileSystem
import Foundation
import LogStore
import Schema
import StoreContract
import Testing

@testable import RecordStore

@Suite("Salvage")
struct SalvageTests {
  /// A store of random commits, and what is known of it.
  private struct Original {
    struct Place {
      let number: UInt64
      let path: String
      let bytes: Range<UInt64>
    }
    let files = MemoryFileSystem()
    var model = LibraryModel()
    /// Values that an object ever had: title, pages, code.
    var versions: [ObjectKey: Set<[Value]>] = [:]
    /// By object: the records that wrote its row and, where its links or derived values matter not, nothing else.
    var lastWritten: [ObjectKey: UInt64] = [:]
    var places: [Place] = []
    var segments: [String] = []

    init(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      let store = try TestStore.open(files, options: RecordStoreOptions(segmentBytesMax: 6 << 10))
      for _ in 0..<30 {
        let draft = Draft(store)
        let next = try model.step(draft, &random)
        guard try draft.conflicts().isEmpty else { continue }
        model = next
        for key in model.works.keys { versions[key, default: []].insert(try Self.values(store.latest, key)) }
      }
      for key in model.works.keys { lastWritten[key] = try store.latest.row(for: key)?.version }
      let paths = store.core.log.segments.map(\.path)
      try store.core.log.visitRecords(after: 0) { record in
        let start = record.location.offsetBytes
        places.append(
          Place(
            number: record.number, path: paths[Int(record.location.segment) - 1],
            bytes: start..<start + record.storedBytes))
      }
      segments = paths
      try store.close()
    }

    static func values(_ view: RecordView, _ key: ObjectKey) throws -> [Value] {
      try [Library.Work.title, Library.Work.pages, Library.Work.code].map { try view.value(key, $0) }
    }

    /// Changes bytes of a file.
    func damage(_ path: String, at offset: UInt64, _ bytes: [UInt8]) throws {
      let file = try files.open(path, .readWrite)
      try bytes.withUnsafeBytes { try file.write($0, at: offset) }
      try file.close()
    }

    func byte(_ path: String, at offset: UInt64) throws -> UInt8 {
      let file = try files.open(path, .read)
      var byte = [UInt8](repeating: 0, count: 1)
      _ = try byte.withUnsafeMutableBytes { try file.read(at: offset, into: $0) }
      return byte[0]
    }

    func size(_ path: String) throws -> UInt64 { try files.open(path, .read).size() }

    func salvage() throws -> SalvageReport {
      try StoreSalvage.run(from: "/library", to: "/rescued", in: files, timestamp: 5000)
    }
  }

  private func expectSound(_ files: MemoryFileSystem) throws {
    let findings = try StoreInspection(directory: "/rescued", in: files).verify().findings
    #expect(findings.filter { $0.severity == .damage }.map(\.message) == [])
  }

  @Test(
    "A store without damage is taken over whole, with its keys, links, derived values and metadata", arguments: 0..<4)
  func sound(seed: Int) throws {
    let original = try Original(seed: UInt64(seed))
    let report = try original.salvage()
    #expect(!report.hasLosses)
    #expect(report.entities.map(\.name) == ["Shelf", "Book", "Record", "Tag", "List", "Everything"])
    #expect(report.entities.reduce(0) { $0 + $1.lostCount + $1.unseenCount } == 0)
    let rescued = try TestStore.open(original.files, nil, "/rescued")
    #expect(rescued.metadata[StoreSalvage.unfinishedName] == nil)
    #expect(rescued.identifier == report.identifier)
    try original.model.check(rescued.latest)
    try rescued.latest.checkInvariants()
    try rescued.close()
    try expectSound(original.files)
  }

  @Test(
    "B067: whatever is damaged, rows of whole records are there, no value is invented, the source stays",
    arguments: 0..<40)
  func randomDamage(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed) + 1000)
    let original = try Original(seed: UInt64(seed % 8))
    var bad: [(path: String, bytes: Range<UInt64>)] = []
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let path = original.segments[random.below(original.segments.count)]
      let size = try original.size(path)
      let offset = UInt64(random.below(Int(size)))
      if random.oneIn(3) {
        let count = min(UInt64(random.below(600) + 1), size - offset)
        try original.damage(path, at: offset, [UInt8](repeating: 0, count: Int(count)))
        bad.append((path, offset..<offset + count))
      } else {
        let bit = UInt8(1) << UInt8(random.below(8))
        try original.damage(path, at: offset, [try original.byte(path, at: offset) ^ bit])
        bad.append((path, offset..<offset + 1))
      }
    }
    if random.oneIn(4), original.segments.count > 2 {
      let path = original.segments[1 + random.below(original.segments.count - 2)]
      bad.append((path, 0..<UInt64.max))
      try original.files.remove(path)
    }
    let lost = Set(
      original.places.filter { place in
        bad.contains { $0.path == place.path && $0.bytes.overlaps(place.bytes) }
      }.map(\.number))
    let before = try contents(original.files)
    let report: SalvageReport
    do {
      report = try original.salvage()
    } catch let error as StoreError {
      #expect(error.code == .damaged, "\(error)")
      #expect(lost.contains(1), "the schema's record is whole: \(error)")
      return
    }
    #expect(try contents(original.files) == before, "the source was written to")
    if !lost.isEmpty { #expect(report.hasLosses || report.tornBytes > 0) }
    try expectSound(original.files)
    let rescued = try TestStore.open(original.files, nil, "/rescued")
    try rescued.latest.checkInvariants()
    let works = Set(try rescued.latest.all(Library.work))
    for key in works {
      let values = try Original.values(rescued.latest, key)
      #expect(original.versions[key]?.contains(values) == true, "\(key) has values that it never had")
    }
    for (key, version) in original.lastWritten where !lost.contains(version) {
      #expect(works.contains(key), "\(key), written by whole record \(version), is missing")
    }
    if lost.isEmpty { try original.model.check(rescued.latest) }
    try rescued.close()
  }

  private func contents(_ files: MemoryFileSystem) throws -> [String: [UInt8]] {
    var contents: [String: [UInt8]] = [:]
    for name in try files.list("/library") {
      let file = try files.open("/library/\(name)", .read)
      var bytes = [UInt8](repeating: 0, count: Int(try file.size()))
      _ = try bytes.withUnsafeMutableBytes { try file.read(at: 0, into: $0) }
      contents[name] = bytes
    }
    return contents
  }

  @Test("Rows in whole blocks of a record that is not whole are taken over; what is lost is said by entity")
  func partialRecord() throws {
    let files = MemoryFileSystem()
    let store = try TestStore.open(files)
    let draft = Draft(store)
    // Large enough for several blocks.
    let text = String(repeating: "x", count: 500)
    for index in 0..<300 {
      try draft.insert(Library.tag, [Library.Tag.name: .string("\(index) \(text.shuffled().prefix(2))\(text)")])
    }
    try draft.commit()
    let block = store.core.blocks.count - 1
    let shelf = try Draft(store).insertShelf()
    let address = try #require(store.core.blocks.address(of: block))
    try store.close()
    let path = store.core.log.segments[0].path
    let file = try files.open(path, .readWrite)
    let place = address.offsetBytes + 40
    try [UInt8](repeating: 0xEE, count: 8).withUnsafeBytes { try file.write($0, at: place) }
    let report = try StoreSalvage.run(from: "/library", to: "/rescued", in: files, timestamp: 1)
    #expect(report.hasLosses)
    #expect(report.partial.count == 1)
    let tags = try #require(report.entities.first { $0.name == "Tag" })
    #expect(tags.keptCount >= 200)
    #expect(tags.keptCount < 300)
    #expect(tags.keptCount == report.partial.first?.rowCount)
    let rescued = try TestStore.open(files, nil, "/rescued")
    #expect(try rescued.latest.row(for: shelf) != nil, "what lies behind the damage is read")
    try rescued.close()
  }

  @Test("The target must be new, and a store without a readable schema is refused")
  func refusals() throws {
    let original = try Original(seed: 1)
    #expect(throws: StoreError.self) {
      try StoreSalvage.run(from: "/library", to: "/library", in: original.files, timestamp: 0)
    }
    #expect(throws: StoreError.self) {
      try StoreSalvage.run(from: "/nothing", to: "/rescued", in: original.files, timestamp: 0)
    }
    let schema = try #require(original.places.first)
    try original.damage(schema.path, at: schema.bytes.lowerBound + 70, [0, 0, 0, 0, 0])
    do {
      _ = try original.salvage()
      Issue.record("rows were read without a schema")
    } catch let error as StoreError {
      #expect(error.code == .damaged)
      #expect(try !original.files.exists("/rescued"))
    }
  }
}

extension SeededGenerator {
  fileprivate mutating func below(_ bound: Int) -> Int { bound > 0 ? Int(next() >> 33) % bound : 0 }
  fileprivate mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }
}

extension Draft {
  fileprivate func insertShelf() throws -> ObjectKey {
    let key = try insert(Library.shelf, [Library.Shelf.label: .string("behind")])
    try commit()
    return key
  }
}

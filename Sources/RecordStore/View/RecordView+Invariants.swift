import Schema

extension RecordView {
  /// Compares the indexes with what they are built from. Returns what does not fit.
  func indexFaults() throws(StoreError) -> [String] {
    let plan = core.plan
    var faults: [String] = []
    var rebuilt = root
    try rebuilt.indexRows(plan, core.blocks, edit: .max)
    func compare(_ name: String, _ kept: [SortedTree], _ built: [SortedTree]) throws(StoreError) {
      for (index, (kept, built)) in zip(kept, built).enumerated() {
        if let fault = kept.fault() { faults.append("\(name) \(index): \(fault)") }
        if try kept.entries() != built.entries() { faults.append("\(name) \(index) differs from the rows") }
      }
    }
    try compare("relationship index", root.columns, rebuilt.columns)
    try compare("unique index", root.uniques, rebuilt.uniques)
    try compare("fetch index", root.fetches, rebuilt.fetches)
    for (index, links) in root.links.enumerated() {
      var mirrored: [IndexEntry] = []
      for entry in try links.entries() { mirrored.append(IndexEntry(entry.minor, entry.major)) }
      mirrored.sort()
      if try root.mirrors[index].entries() != mirrored { faults.append("links \(index) differ from their mirror") }
      if let fault = links.fault() ?? root.mirrors[index].fault() { faults.append("links \(index): \(fault)") }
      for entry in try links.entries() {
        for key in [ObjectKey(rawValue: entry.major), entry.key] where root.location(of: key, plan) == .none {
          faults.append("links \(index) name the object \(key), which is not there")
        }
      }
    }
    return faults
  }

  /// For tests: throws what `indexFaults` finds.
  func checkInvariants() throws(StoreError) {
    let faults = try indexFaults()
    if !faults.isEmpty { throw StoreError(.damaged, faults.joined(separator: "; ")) }
  }
}

extension SortedTree {
  func entries() throws(StoreError) -> [IndexEntry] {
    var entries: [IndexEntry] = []
    try forEach(from: IndexEntry(0, 0), through: IndexEntry(.max, .max)) { entry, _ in
      entries.append(entry)
      return true
    }
    return entries
  }
}

import LogStore
public import Schema
import StoreContract

extension StoreInspection {
  /// Checks every record's checksum, every row against its layout, and that relationships, unique values and derived
  /// values agree with the rows. Costs a pass over the whole store.
  public func verify() throws(StoreError) -> VerificationReport {
    var report = VerificationReport()
    try verifyLog(&report)
    guard report.isSound else { return report }
    verifyTransactions(&report)
    guard report.isSound else { return report }
    var root = root
    try root.indexRows(core.plan, core.blocks, edit: StoreLoader.edit)
    let view = RecordView(core: core, root: root)
    for fault in try view.indexFaults() { report.findings.append(VerificationReport.Finding(.damage, fault)) }
    try verifyUnique(view, &report)
    try verifyReferences(view, &report)
    try verifyDerived(view, &report)
    try verifyCheckpoints(&report)
    return report
  }

  private func verifyLog(_ report: inout VerificationReport) throws(StoreError) {
    let log: VerifyReport
    do throws(LogError) {
      log = try LogStore.verify(directory, in: fileSystem)
    } catch {
      throw StoreError(error)
    }
    report.recordsChecked = Int(clamping: log.recordCount)
    for place in log.badPlaces {
      report.findings.append(
        VerificationReport.Finding(.damage, place.message, path: place.path, offsetBytes: place.offsetBytes))
    }
  }

  private func verifyTransactions(_ report: inout VerificationReport) {
    var transactions = 0
    var rows = 0
    do {
      try core.log.visit(after: 0) { record in
        guard record.kind == RecordKind.transaction else { return true }
        try core.forEachChange(of: record) { _, row in
          if row != nil { rows += 1 }
        }
        transactions += 1
        return true
      }
    } catch {
      report.findings.append(
        VerificationReport.Finding(.damage, error.message, path: error.path, offsetBytes: error.offsetBytes))
    }
    report.transactionsChecked = transactions
    report.rowsChecked = rows
  }

  private func verifyUnique(_ view: RecordView, _ report: inout VerificationReport) throws(StoreError) {
    for (index, unique) in core.plan.uniques.enumerated() {
      var group: [IndexEntry] = []
      for entry in try view.root.uniques[index].entries() {
        if let first = group.first, first.major != entry.major { group.removeAll() }
        for other in group where try shareValues(other.key, entry.key, index, view) {
          let entity = schema.entities[unique.entity]
          let names = unique.properties.map { entity.properties[$0].name }.joined(separator: ", ")
          report.findings.append(
            VerificationReport.Finding(
              .damage, "\(name(of: other.key)) and \(name(of: entry.key)) have the same \(names), which must be unique."
            ))
        }
        group.append(entry)
      }
    }
  }

  private func shareValues(
    _ a: ObjectKey, _ b: ObjectKey, _ index: Int, _ view: RecordView
  ) throws(StoreError) -> Bool {
    func side(_ key: ObjectKey) throws(StoreError) -> (Row, [RowSlot])? {
      guard let entity = core.plan.entityIndex(of: key), let row = try view.row(for: key),
        let unique = core.plan.entities[entity].uniques.first(where: { $0.index == index })
      else { return nil }
      return (row, unique.slots)
    }
    guard let left = try side(a), let right = try side(b) else { return false }
    return IndexCode.areSame(left.0, left.1, right.0, right.1)
  }

  /// To-one relationships that lead nowhere or to the wrong kind of object, and inverses that do not lead back.
  private func verifyReferences(_ view: RecordView, _ report: inout VerificationReport) throws(StoreError) {
    for entity in schema.entities {
      for (property, description) in entity.properties.enumerated() {
        guard let relationship = description.relationship, !description.isTransient else { continue }
        let place = "\(entity.name).\(description.name)"
        try view.root.locations[entity.index].visitAll { ordinal, _ throws(StoreError) in
          let key = ObjectKey(entityNumber: core.plan.entityNumbers[entity.index], ordinal: ordinal)
          try view.forEachMember(of: key, relationship: property) { member throws(StoreError) in
            if let fault = try referenceFault(from: key, to: member, relationship, view) {
              report.findings.append(VerificationReport.Finding(.warning, "\(place) of \(name(of: key)) \(fault)."))
            }
            return true
          }
          return true
        }
      }
    }
  }

  private func referenceFault(
    from key: ObjectKey, to member: ObjectKey, _ relationship: RelationshipSchema, _ view: RecordView
  ) throws(StoreError) -> String? {
    guard view.root.location(of: member, core.plan) != .none, let entity = core.plan.entityIndex(of: member) else {
      return "leads to \(name(of: member)), which is not there"
    }
    guard schema.isKind(entity, of: relationship.destination) else {
      return "leads to \(name(of: member)), of another entity than the relationship's"
    }
    guard let inverse = relationship.inverse else { return nil }
    let leadsBack = try view.isMember(key, of: member, relationship: inverse)
    return leadsBack ? nil : "leads to \(name(of: member)), whose inverse does not lead back"
  }

  private func verifyDerived(_ view: RecordView, _ report: inout VerificationReport) throws(StoreError) {
    var check = Commit(core: core, before: view, changes: ChangeSet(timestamp: 0), edit: StoreLoader.edit + 1)
    for entity in schema.entities {
      let entityPlan = core.plan.entities[entity.index]
      guard !entityPlan.derived.isEmpty else { continue }
      var keys: [ObjectKey] = []
      try view.root.forEachRow(entity.index, core.plan, core.blocks) { keys.append($0.key) }
      for key in keys {
        guard let row = try view.row(for: key) else { continue }
        if let property = try check.wrongOwnValue(in: row, entityPlan) {
          note(entity, property, key, &report)
        }
        if entityPlan.derivesFromOthers { try check.rederive(key) }
      }
    }
    for wrong in check.pending {
      guard let old = wrong.old, let new = wrong.new else { continue }
      let entity = schema.entities[wrong.entity]
      for derived in core.plan.entities[wrong.entity].derived
      where !DerivedValue.areSame(old.value(derived.slot), new.value(derived.slot)) {
        note(entity, derived.property, wrong.key, &report)
      }
    }
  }

  private func note(_ entity: EntitySchema, _ property: Int, _ key: ObjectKey, _ report: inout VerificationReport) {
    let place = "\(entity.name).\(entity.properties[property].name)"
    report.findings.append(
      VerificationReport.Finding(.damage, "\(place) of \(name(of: key)) is not what it is derived from."))
  }
}

extension Commit {
  /// The first property derived from the row itself that has another value.
  func wrongOwnValue(in row: Row, _ entityPlan: EntityPlan) throws(StoreError) -> Int? {
    let fresh = try deriveFromOwn(row, entityPlan)
    guard fresh.base != row.base else { return nil }
    for derived in entityPlan.derived {
      guard case .own = derived.derivation else { continue }
      if !DerivedValue.areSame(row.value(derived.slot), fresh.value(derived.slot)) { return derived.property }
    }
    return nil
  }
}

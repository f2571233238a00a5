import FileSystem
import RecordStore
import Schema

/// A store as every command opens it: read only, without a lock.
struct OpenStore {
  let path: String
  let inspection: StoreInspection

  init(_ path: String) throws {
    self.path = path
    inspection = try StoreInspection(directory: path, in: DiskFileSystem())
  }

  /// Whether an entity that the present schema does not have was in the store once.
  func knowsFormerEntity(_ name: String) -> Bool {
    (0...ObjectKey.entityNumberMax).contains { inspection.entityName(ofNumber: $0) == name }
  }

  func isDerived(_ property: String, of entity: String) -> Bool {
    guard let described = inspection.schema.entity(named: entity),
      let index = described.propertyIndexByName[property]
    else { return false }
    return described.properties[index].attribute?.derivation != nil
  }

  func formatter(isFull: Bool) -> ValueFormatter {
    ValueFormatter(isFull: isFull, objectName: inspection.name(of:))
  }

  /// Tells what recovery found at the end of the log. What was printed is complete when it ends in a torn tail, and
  /// is not when there is damage.
  func reportEnd(_ output: Output) throws -> ExitCode {
    let recovery = inspection.recovery
    if let damage = recovery.damage {
      let fault = StoreFault(damage)
      if output.isJSON { try output.line(fault.json) }
      try output.note("damage: what is printed ends before it\n\(fault.text)")
      return .damaged
    }
    if recovery.tornBytes > 0 {
      let place = recovery.tornSegment.map { " at \($0)+\(recovery.tornOffsetBytes ?? 0)" } ?? ""
      try output.note(
        "the last \(recovery.tornBytes) bytes\(place) are an unfinished record: a commit that was never acknowledged, or is being written now; all before it is complete"
      )
    }
    return .fine
  }
}

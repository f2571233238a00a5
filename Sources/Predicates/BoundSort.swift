internal import Foundation
public import Schema

/// One sort descriptor, bound to a schema.
public struct BoundSort: Sendable {
  public func compare(_ a: Row, _ b: Row, in source: any ObjectSource) throws(StoreError) -> Int {
    preconditionFailure("not built yet")
  }
}

import Annals
import Foundation
import Schema
import Testing

@testable import ObjectGraph

@Suite("Errors")
struct ErrorTests {
  @Test("An error can be caught by code, as CocoaError and as NSError, and carries the typed one beneath it")
  func catching() throws {
    let typed = StoreError(.noSpace, "The disk is full.", path: "segment", errorNumber: 28)
    let error: any Error = GraphError.wrapping(typed, during: .save, store: "a store")
    var caught = 0
    do { throw error } catch CocoaError.Code.persistentStoreSave { caught += 1 }
    do { throw error } catch let error as CocoaError where error.code == .persistentStoreSave { caught += 1 }
    #expect(caught == 2)
    let plain = error as NSError
    #expect(plain.domain == NSCocoaErrorDomain)
    #expect(plain.code == NSPersistentStoreSaveError)
    #expect(plain.localizedDescription.contains("The disk is full."))
    let underlying = try #require(plain.userInfo[NSUnderlyingErrorKey] as? StoreError)
    #expect(underlying.code == .noSpace && underlying.errorNumber == 28)
  }

  @Test(
    "What a store refuses has the code that Core Data has for it",
    arguments: [
      (StoreError.Code.incompatibleSchema, GraphError.Operation.open, NSPersistentStoreIncompatibleVersionHashError),
      (.locked, .open, NSPersistentStoreOpenError), (.damaged, .open, NSPersistentStoreOpenError),
      (.noSpace, .save, NSPersistentStoreSaveError), (.missingObject, .fetch, NSManagedObjectReferentialIntegrityError),
      (.inputOutput, .fetch, NSPersistentStoreOperationError),
      (.invalidToken, .history, NSPersistentHistoryTokenExpiredError),
    ])
  func codes(code: StoreError.Code, operation: GraphError.Operation, expected: Int) {
    let error = GraphError.wrapping(StoreError(code, "No."), during: operation) as NSError
    #expect(error.code == expected)
  }

  @Test("An error of Core Data's is not wrapped again")
  func wrappingOnce() {
    let first = GraphError.make(NSManagedObjectMergeError, "A conflict.")
    #expect((GraphError.wrapping(first, during: .save) as NSError).code == NSManagedObjectMergeError)
  }
}

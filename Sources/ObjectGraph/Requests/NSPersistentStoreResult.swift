public import Foundation

/// What executing a request returned: the common base of batch and history results.
open class NSPersistentStoreResult: NSObject {
  package override init() { super.init() }
}

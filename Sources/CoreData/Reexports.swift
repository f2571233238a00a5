// For ported code: `import CoreData` gives what it gives on Apple's platforms, Foundation included.
@_exported public import Annals
@_exported public import Foundation

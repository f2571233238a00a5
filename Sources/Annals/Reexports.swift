// What `import Annals` gives a program. Layers below the object graph stay out of its sight, but for the errors that
// lie under the graph's own.
@_exported public import Model
@_exported public import ObjectGraph
@_exported public import Predicates

@_exported public import enum Schema.ProgrammerError
@_exported public import struct Schema.StoreError

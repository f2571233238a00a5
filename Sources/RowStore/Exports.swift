// What `import RowStore` gives a program: keys, values and errors of the layers below, and predicates with their format
// texts.
@_exported public import Predicates

@_exported public import enum Schema.AttributeType
@_exported public import struct Schema.ObjectKey
@_exported public import struct Schema.StoreError
@_exported public import enum Schema.Value

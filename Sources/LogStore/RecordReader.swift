/// One record while it is being visited.
public struct RecordReader {}

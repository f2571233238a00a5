/// What a store did to execute a plan: filled in on the way, for people who ask why a fetch is slow.
///
/// Belongs to whoever asks: not shared between threads.
public final class FetchReport {
  /// How the store came by the rows it judged: "index byAge of Worker", "every row of Worker".
  public var access: String = ""
  /// The indexes that it used, by name; empty when it read every row.
  public var indexes: [String] = []
  /// How many rows the index was expected to name; `nil` where every row was read.
  public var estimatedRows: Int?
  /// How the results were put in order: "by key", "by index byAge", "sorted", "sorted, the first 50 kept".
  public var order: String = ""
  /// Rows that were read and judged, those of related objects not counted.
  public var rowsScanned: Int = 0
  /// Results, the window counted in.
  public var rowsReturned: Int = 0

  public init() {}
}

/// What the storage workloads ask of an engine.
protocol PostEngine: AnyObject {
  var name: String { get }
  /// Where its files are.
  var path: String { get }
  /// Inserts posts in one durable transaction.
  func insert(_ posts: ArraySlice<Post>)
  /// Looks up posts by number and touches every column.
  func read(_ numbers: [Int]) -> Int
  /// Reads whole posts with views from `low` up to below `high`, by views.
  func range(_ low: Int, _ high: Int) -> Int
  func countContaining(_ word: String) -> Int
  /// How many posts each tag has.
  func countByTag() -> [Int]
  /// Changes views and score of posts in one durable transaction.
  func update(_ changes: ArraySlice<(number: Int, views: Int, score: Double)>)
  func delete(_ numbers: ArraySlice<Int>)
  /// Brings the files into the state they have when the engine is at rest.
  func settle()
  func close()
}

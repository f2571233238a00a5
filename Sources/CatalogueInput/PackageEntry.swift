/// One package as Debian's index describes it.
public struct PackageEntry: Sendable, Equatable {
  /// One package that could satisfy a dependency. Those of one group are alternatives: any of them will do.
  public struct Dependency: Sendable, Equatable {
    public var targetName: String
    /// ">= 2.34", as written between the parentheses.
    public var constraint: String?
    public var group: Int
    /// Must be unpacked before, not only configured.
    public var isPre: Bool
  }

  public var name = ""
  public var version = ""
  public var section: String?
  public var maintainer: String?
  public var homepage: String?
  /// The description's first line.
  public var summary = ""
  public var downloadBytes: Int64 = 0
  public var installedKiB: Int64 = 0
  public var tags: [String] = []
  public var dependencies: [Dependency] = []
  /// Equal for entries whose text is equal: tells what a second import need not touch.
  public var fingerprint: Int64 = 0

  public init() {}
}

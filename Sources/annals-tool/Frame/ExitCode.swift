/// What the process answers to its caller. The numbers are part of the tool's interface.
enum ExitCode: Int32, CaseIterable {
  case fine = 0
  case differs = 1
  case usage = 2
  case cannotOpen = 3
  case tornTail = 4
  case damaged = 5
  case newerFormat = 6
  case salvagedWithLosses = 7
  case interrupted = 130

  var meaning: String {
    switch self {
    case .fine: "all is well; also when the reader of the output went away early"
    case .differs: "nothing matched (log), the model has faults (model, generate), or work is left to do by hand (port)"
    case .usage: "the command line cannot be understood; nothing was read"
    case .cannotOpen: "the store or file cannot be opened or read: missing, not a store, no permission"
    case .tornTail: "only the end is torn: an unfinished record behind the last commit, which is complete"
    case .damaged: "damage inside: what is printed stops before it, or lacks it"
    case .newerFormat: "the store's format is newer than this program"
    case .salvagedWithLosses: "salvage done, with losses"
    case .interrupted: "interrupted by Ctrl-C"
    }
  }

  /// The worse of two findings about the same store: damage over a torn tail over nothing.
  func orWorse(_ other: ExitCode) -> ExitCode { other.rawValue > rawValue ? other : self }
}

/// What a context with an undo manager should show: a table of everything, kept whole at the end of each event, so that
/// undoing is going back to an earlier table. Written from the rules, and knows nothing of the package.
struct UndoModel {
  struct Pair: Hashable {
    let from: Int
    let to: Int
  }

  enum Kind: String, CaseIterable {
    case worker = "Worker"
    case department = "Department"
    case desk = "Desk"
    case project = "Project"
    case step = "Step"
  }

  struct State: Equatable {
    var kinds: [Int: Kind] = [:]
    var names: [Int: Int] = [:]
    /// Worker to department.
    var departments: [Int: Int] = [:]
    /// Worker to desk, one to one.
    var desks: [Int: Int] = [:]
    /// Worker and project.
    var links: Set<Pair> = []
    /// Worker and worker.
    var friends: Set<Pair> = []
    /// Project to its steps, in order; none is empty.
    var steps: [Int: [Int]] = [:]

    func objects(_ kind: Kind) -> [Int] { kinds.filter { $0.value == kind }.map { $0.key }.sorted() }

    func project(of step: Int) -> Int? { steps.first { $0.value.contains(step) }?.key }

    mutating func setDesk(_ worker: Int, _ desk: Int?) {
      desks = desks.filter { $0.value != desk }
      desks[worker] = desk
    }

    mutating func setSteps(_ project: Int, _ list: [Int]) {
      for other in Array(steps.keys) where other != project {
        steps[other]?.removeAll { list.contains($0) }
        if steps[other]?.isEmpty == true { steps[other] = nil }
      }
      steps[project] = list.isEmpty ? nil : list
    }

    /// Takes an object out, by the delete rules: a project's steps go with it.
    mutating func delete(_ object: Int) {
      let owned: [Int] = steps[object] ?? []
      steps[object] = nil
      if let project = project(of: object) { setSteps(project, (steps[project] ?? []).filter { $0 != object }) }
      kinds[object] = nil
      names[object] = nil
      departments = departments.filter { $0.key != object && $0.value != object }
      desks = desks.filter { $0.key != object && $0.value != object }
      links = links.filter { $0.from != object && $0.to != object }
      friends = friends.filter { $0.from != object && $0.to != object }
      for step in owned { delete(step) }
    }
  }

  var now = State()
  private(set) var committed = State()
  /// As it was when the event that is going on began.
  private var start = State()
  private var before: [State] = []
  private var after: [State] = []

  var undoCount: Int { before.count }
  var redoCount: Int { after.count }
  var eventChanged: Bool { now != start }

  /// - Parameter isStep: whether the event counts as a step to take back.
  mutating func endEvent(isStep: Bool) {
    if isStep {
      before.append(start)
      after = []
    }
    start = now
  }

  mutating func undo() {
    guard let last = before.popLast() else { return }
    after.append(now)
    now = last
    start = now
  }

  mutating func redo() {
    guard let last = after.popLast() else { return }
    before.append(now)
    now = last
    start = now
  }

  mutating func save() { committed = now }

  mutating func rollback() {
    now = committed
    start = now
    before = []
    after = []
  }
}

/// What a chain of contexts over one store should look like: each layer is the one below with its pending changes.
/// Written from the rules, and knows nothing of the package.
struct ReferenceGraph {
  struct Pair: Hashable {
    let worker: Int
    let project: Int
  }

  enum Kind: Int, CaseIterable { case worker, department, project }

  struct State: Equatable {
    var kinds: [Int: Kind] = [:]
    var names: [Int: Int] = [:]
    var departments: [Int: Int] = [:]
    var links: Set<Pair> = []

    func objects(_ kind: Kind) -> [Int] { kinds.filter { $0.value == kind }.map { $0.key }.sorted() }
  }

  struct Pending {
    var inserted: [Int: Kind] = [:]
    var deleted: Set<Int> = []
    var names: [Int: Int] = [:]
    var departments: [Int: Int?] = [:]
    var linked: Set<Pair> = []
    var unlinked: Set<Pair> = []

    var isEmpty: Bool {
      inserted.isEmpty && deleted.isEmpty && names.isEmpty && departments.isEmpty && linked.isEmpty && unlinked.isEmpty
    }

    func mentions(_ object: Int) -> Bool {
      inserted[object] != nil || deleted.contains(object) || names[object] != nil || departments[object] != nil
        || departments.values.contains(object)
        || linked.union(unlinked).contains { $0.worker == object || $0.project == object }
    }

    mutating func forget(_ object: Int) {
      names[object] = nil
      departments[object] = nil
      linked = linked.filter { $0.worker != object && $0.project != object }
      unlinked = unlinked.filter { $0.worker != object && $0.project != object }
    }
  }

  /// Below each layer; `nil` for the store.
  let below: [Int?]
  var store = State()
  var pending: [Pending]

  init(below: [Int?]) {
    self.below = below
    pending = below.map { _ in Pending() }
  }

  func underneath(_ layer: Int) -> State { below[layer].map { state($0) } ?? store }

  func state(_ layer: Int) -> State {
    var state: State = underneath(layer)
    let changes: Pending = pending[layer]
    for (object, kind) in changes.inserted { state.kinds[object] = kind }
    for (object, name) in changes.names where state.kinds[object] != nil { state.names[object] = name }
    for (worker, department) in changes.departments where state.kinds[worker] != nil {
      state.departments[worker] = department
    }
    state.links.subtract(changes.unlinked)
    state.links.formUnion(changes.linked)
    for object in changes.deleted {
      state.kinds[object] = nil
      state.names[object] = nil
      state.departments[object] = nil
      state.departments = state.departments.filter { $0.value != object }
      state.links = state.links.filter { $0.worker != object && $0.project != object }
    }
    return state
  }

  /// Forgets changes that what lies underneath has anyway.
  mutating func normalise(_ layer: Int) {
    let under: State = underneath(layer)
    pending[layer].linked.subtract(under.links)
    pending[layer].unlinked.formIntersection(under.links)
    pending[layer].names = pending[layer].names.filter { under.names[$0.key] != $0.value }
    pending[layer].departments = pending[layer].departments.filter { under.departments[$0.key] != $0.value }
  }

  func isAncestor(_ layer: Int, of other: Int) -> Bool {
    var next: Int? = below[other]
    while let current = next {
      if current == layer { return true }
      next = below[current]
    }
    return false
  }

  mutating func link(_ pair: Pair, _ isLinked: Bool, in layer: Int) {
    if isLinked {
      pending[layer].unlinked.remove(pair)
      pending[layer].linked.insert(pair)
    } else {
      pending[layer].linked.remove(pair)
      pending[layer].unlinked.insert(pair)
    }
    normalise(layer)
  }

  mutating func delete(_ object: Int, in layer: Int) {
    for (worker, department) in state(layer).departments where department == object {
      pending[layer].departments[worker] = .some(nil)
    }
    pending[layer].forget(object)
    // Its links go with it, as changes of those at their other ends.
    pending[layer].unlinked.formUnion(
      underneath(layer).links.filter { $0.worker == object || $0.project == object })
    if pending[layer].inserted.removeValue(forKey: object) == nil { pending[layer].deleted.insert(object) }
  }

  /// One level up.
  mutating func save(_ layer: Int) {
    normalise(layer)
    guard let parent = below[layer] else {
      store = state(layer)
      pending[layer] = Pending()
      return
    }
    let changes: Pending = pending[layer]
    let present: State = state(parent)
    pending[layer] = Pending()
    for (object, kind) in changes.inserted { pending[parent].inserted[object] = kind }
    for (object, name) in changes.names where present.names[object] != name { pending[parent].names[object] = name }
    for (worker, department) in changes.departments { pending[parent].departments[worker] = .some(department) }
    for pair in changes.linked { link(pair, true, in: parent) }
    for pair in changes.unlinked { link(pair, false, in: parent) }
    for object in changes.deleted { delete(object, in: parent) }
  }
}

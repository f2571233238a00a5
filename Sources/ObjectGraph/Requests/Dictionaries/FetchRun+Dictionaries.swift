internal import Foundation
internal import Model
internal import Predicates
internal import Schema
internal import StoreContract

extension FetchRun {
  /// The dictionaries that the request asks for: computed by the stores from their rows, no object is made.
  ///
  /// Pending changes do not count, whatever the request says: the results are the store's.
  func dictionaries() throws -> [NSDictionary] {
    let columns: [DictionaryColumn] = try DictionaryColumn.columns(settings, info)
    var request = TableRequest(
      columns: columns.map { TableRequest.Column(name: $0.name, expression: $0.expression) })
    request.groupBy = try DictionaryColumn.groups(settings, info).map(\.expression)
    request.having = settings.havingPredicate
    request.isDistinct = settings.returnsDistinctResults
    request.sort = settings.sortDescriptors ?? []
    let places: [StorePlaceInContext] = stores.compactMap { context.place(for: $0) }
    request.sortsResults = places.count > 1 && !request.sort.isEmpty
    let (rows, origins) = try results(of: request, places)
    let values = DictionaryValues(columns: columns, origins: origins, model: context.modelInfo, places: places)
    return rows.map { values.dictionary($0) }
  }

  private func results(
    of request: TableRequest, _ places: [StorePlaceInContext]
  ) throws -> ([TableRow], [BoundTable.Origin?]) {
    var plans: [(plan: TablePlan, view: any StoreView)] = []
    for place in places {
      guard let backend = place.store.backend, let view = try view(of: place) else { throw removed(place) }
      plans.append((try plan(for: request, backend), view))
    }
    guard let first = plans.first else { return ([], []) }
    let origins: [BoundTable.Origin?] = first.plan.table.columns.map(\.origin)
    if plans.count == 1 {
      let rows: [TableRow] = try reading(places[0].store) { () throws(StoreError) -> [TableRow] in
        try first.view.table(for: first.plan, report: report)
      }
      return (rows, origins)
    }
    var builder = TableBuilder(first.plan.table)
    for (number, part) in plans.enumerated() {
      var plan: TablePlan = part.plan
      plan.rows.limit = plan.rows.limit == 0 ? 0 : plan.rows.limit + plan.rows.offset
      plan.rows.offset = 0
      try reading(places[number].store) { () throws(StoreError) in
        try part.view.add(rowsOf: plan, to: &builder, number: number, report: report)
      }
    }
    let rows: [TableRow] = try reading(places[0].store) { () throws(StoreError) -> [TableRow] in
      try builder.rows(offset: settings.fetchOffset, limit: settings.fetchLimit, sources: plans.map(\.view))
    }
    return (rows, origins)
  }

  private func plan(for request: TableRequest, _ backend: any ObjectStore) throws -> TablePlan {
    let binder = PredicateBinder(schema: info.schema, entity: info.index, store: backend.identifier)
    do {
      var rows = FetchPlan(
        entity: info.index, includesSubentities: settings.includesSubentities, limit: settings.fetchLimit,
        offset: settings.fetchOffset)
      if let predicate = settings.predicate { rows.predicate = try binder.bind(predicate, variables: variables) }
      return TablePlan(rows: rows, table: try binder.bind(request, variables: variables))
    } catch {
      throw notExecutable(error)
    }
  }
}

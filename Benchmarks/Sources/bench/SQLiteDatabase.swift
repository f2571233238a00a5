import CSQLite

/// SQLite through its C API, as fast as it goes at full durability: prepared statements, WAL, synchronous=FULL.
final class SQLiteDatabase {
  private let handle: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]

  init(path: String) {
    var handle: OpaquePointer?
    guard sqlite3_open(path, &handle) == SQLITE_OK, let handle else { fatalError("sqlite cannot open \(path)") }
    self.handle = handle
    run("PRAGMA journal_mode=WAL")
    run("PRAGMA synchronous=FULL")
    run("PRAGMA mmap_size=1073741824")
    run("PRAGMA cache_size=-65536")
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close(handle)
  }

  func run(_ sql: String) {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      fatalError("\(String(cString: sqlite3_errmsg(handle))): \(sql)")
    }
  }

  /// A prepared statement, reset and ready to bind.
  func statement(_ sql: String) -> Statement {
    if let known = statements[sql] {
      sqlite3_reset(known)
      return Statement(handle: known)
    }
    var statement: OpaquePointer?
    guard sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK,
      let statement
    else {
      fatalError("\(String(cString: sqlite3_errmsg(handle))): \(sql)")
    }
    statements[sql] = statement
    return Statement(handle: statement)
  }

  var lastInsertID: Int64 { sqlite3_last_insert_rowid(handle) }

  struct Statement {
    let handle: OpaquePointer

    func bind(_ index: Int32, _ value: Int64?) {
      if let value { sqlite3_bind_int64(handle, index, value) } else { sqlite3_bind_null(handle, index) }
    }

    func bind(_ index: Int32, _ text: String?) {
      guard var text else {
        sqlite3_bind_null(handle, index)
        return
      }
      let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          _ = sqlite3_bind_text(handle, index, $0.baseAddress, Int32($0.count), transient)
        }
      }
    }

    /// Runs to the end; for statements that return nothing.
    func run() {
      guard sqlite3_step(handle) == SQLITE_DONE else { fatalError("sqlite step failed") }
      sqlite3_reset(handle)
    }

    func bind(_ index: Int32, _ value: Double) { sqlite3_bind_double(handle, index, value) }

    /// Runs to the end with two texts bound where they lie, without a copy.
    func run(_ first: Int32, _ firstText: String, _ second: Int32, _ secondText: String) {
      var firstText = firstText
      var secondText = secondText
      firstText.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          _ = sqlite3_bind_text(handle, first, $0.baseAddress, Int32($0.count), nil)
        }
        secondText.withUTF8 { bytes in
          bytes.withMemoryRebound(to: CChar.self) {
            _ = sqlite3_bind_text(handle, second, $0.baseAddress, Int32($0.count), nil)
          }
          run()
        }
      }
    }

    /// Whether there is another row; behind the last one the statement is reset, so that it holds nothing open.
    func next() -> Bool {
      if sqlite3_step(handle) == SQLITE_ROW { return true }
      sqlite3_reset(handle)
      return false
    }
    func int(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
    func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }
    /// Length of a text column: touches the value as C would, without making a string of it.
    func textBytes(_ column: Int32) -> Int {
      _ = sqlite3_column_text(handle, column)
      return Int(sqlite3_column_bytes(handle, column))
    }
  }
}

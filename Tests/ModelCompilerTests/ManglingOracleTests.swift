import Foundation
import ModelCompiler
import Testing

/// What the compiler leaves undefined is what the mangler must name, exactly.
@Suite struct ManglingOracleTests {
  /// Scans the files, mangles every managed member, and compares with what a compiled module lacks. Each file needs a
  /// use of its members: only what is used is left undefined.
  private func compare(module: String, files: [String: String]) throws -> (missing: [String], extra: [String]) {
    let compiler = try Compiler()
    defer { compiler.remove() }
    try compiler.makeStubGraph()
    var scanned: [ScannedSource] = []
    for (name, text) in files.sorted(by: { $0.key < $1.key }) {
      try compiler.write(text, to: name)
      scanned.append(SwiftScanner.scan(text, path: "somewhere/\(name)"))
    }
    let symbols = ManagedSymbols(types: TypeTable(module: module, sources: scanned))
    var ours: Set<String> = []
    for type in scanned.flatMap(\.types) where !(type.properties.isEmpty && type.methods.isEmpty) {
      let owner = try #require(symbols.owner(of: type))
      for property in type.properties {
        let accessors = try symbols.accessors(of: property, in: owner)
        ours.formUnion([accessors.getter, accessors.setter])
      }
      for method in type.methods { ours.insert(try symbols.method(method, in: owner).symbol) }
    }
    let theirs = try compiler.undefinedSymbols(module: module, files: files.keys.sorted())
    return (theirs.subtracting(ours).sorted(), ours.subtracting(theirs).sorted())
  }

  @Test(
    "D2: symbols of members with every type and with names that repeat, abbreviate and leave ASCII are the compiler's")
  func nastyNames() throws {
    let result = try compare(
      module: "App", files: ["Nasty.swift": NastySources.main, "Other File.swift": NastySources.other])
    #expect(result.missing == [])
    #expect(result.extra == [])
  }

  @Test("D2: a module named as its class, and one whose name is no ASCII, give the compiler's symbols")
  func nastyModules() throws {
    for module in ["Post", "PostPost2", "a", "Übung"] {
      let result = try compare(module: module, files: ["a.swift": NastySources.small])
      #expect(result.missing == [], "module \(module)")
      #expect(result.extra == [], "module \(module)")
    }
  }
}

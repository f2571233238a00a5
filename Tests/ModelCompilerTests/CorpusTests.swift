import Foundation
import ModelCompiler
import Testing

@Suite(.enabled(if: !Corpus.models.isEmpty && Corpus.builtModules != nil)) struct CorpusTests {
  @Test("D2: every property of every real model has the compiler's symbols, and what is generated supplies them all")
  func handWritten() throws {
    let modules = try #require(Corpus.builtModules)
    let corpus = try Corpus.Module()
    var target = try TemporaryTarget()
    defer { target.remove() }
    for model in corpus.models { try target.add(model: model.name, contents: model.contents) }
    try target.add(source: "Classes.swift", corpus.source)
    let output = target.compile(module: "Corpus")
    #expect(output.errorTexts == [])

    let compiler = try Compiler()
    defer { compiler.remove() }
    try compiler.makeUmbrella(modules: modules)
    try compiler.write(corpus.source, to: "Classes.swift")
    let scanned = SwiftScanner.scan(corpus.source, path: "Classes.swift")
    let symbols = ManagedSymbols(types: TypeTable(module: "Corpus", sources: [scanned]))
    var ours: Set<String> = []
    for type in scanned.types where !type.properties.isEmpty {
      let owner = try #require(symbols.owner(of: type))
      for property in type.properties {
        let accessors = try symbols.accessors(of: property, in: owner)
        ours.formUnion([accessors.getter, accessors.setter])
      }
    }
    let undefined = try compiler.undefinedSymbols(module: "Corpus", files: ["Classes.swift"], modules: modules)
    #expect(undefined.subtracting(ours).sorted() == [])
    #expect(ours.subtracting(undefined).sorted() == [])

    for (name, text) in output.files { try compiler.write(text, to: name) }
    let lacking = try compiler.undefinedSymbols(
      module: "Corpus", files: ["Classes.swift"] + output.files.keys.sorted(), modules: modules)
    #expect(lacking.sorted() == [])
  }
}

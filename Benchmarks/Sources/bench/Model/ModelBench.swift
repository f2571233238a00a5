import Annals
import Foundation

/// A model of 40 entities with 480 properties: as the build plugin compiled it into the program, and from Xcode's XML.
struct ModelBench {
  static let names = ["model-load"]

  let options: Options

  func run() throws {
    guard let generated = AnnalsGeneratedModels.models.first(where: { $0.name == "Forty" }) else {
      fatalError("the plugin compiled no model Forty")
    }
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Forty.xcdatamodel")
    let rounds = 50
    let (compiled, model) = try measure(rounds: rounds) { try generated.model() }
    let (parsed, same) = measure(rounds: 5) { NSManagedObjectModel(contentsOf: file) }
    precondition(model == same, "both are one model")
    let properties = model.entities.reduce(0) { $0 + $1.properties.count }
    Outcome(
      work: "model-load", oursSeconds: compiled, peerSeconds: parsed, peer: "xml",
      counts: [("entities", Int64(model.entities.count)), ("properties", Int64(properties))]
    ).printLine(json: options.json)
    if compiled >= 0.001 {
      FileHandle.standardError.write(Data("bench: model-load took a millisecond or more\n".utf8))
      exit(1)
    }
  }
}

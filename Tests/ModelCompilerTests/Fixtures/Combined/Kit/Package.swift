// swift-tools-version: 6.2
import PackageDescription

// A package of its own with a model, as a program split into packages has it.
let checkout: String = Context.environment["ANNALS_CHECKOUT"] ?? "../../../../.."

let package = Package(
  name: "Kit",
  products: [.library(name: "Kit", targets: ["Kit"])],
  dependencies: [.package(name: "Annals", path: checkout)],
  targets: [
    .target(
      name: "Kit", dependencies: [.product(name: "CoreData", package: "Annals")],
      plugins: [.plugin(name: "ModelPlugin", package: "Annals")])
  ]
)

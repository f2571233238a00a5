// swift-tools-version: 6.2
import PackageDescription

// The tests put this package into a temporary place and point it at the checkout with ANNALS_CHECKOUT.
let checkout: String = Context.environment["ANNALS_CHECKOUT"] ?? "../../../.."

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]
let coreData: Target.Dependency = .product(name: "CoreData", package: "Annals")
let models: [Target.PluginUsage] = [.plugin(name: "ModelPlugin", package: "Annals")]

let package = Package(
  name: "Combined",
  dependencies: [.package(name: "Annals", path: checkout), .package(path: "Kit")],
  targets: [
    .target(name: "Generated", dependencies: [coreData], swiftSettings: strict, plugins: models),
    .target(name: "Category", dependencies: [coreData], swiftSettings: strict, plugins: models),
    .target(name: "HandWritten", dependencies: [coreData], swiftSettings: strict, plugins: models),
    .target(name: "Shared", swiftSettings: strict),
    .target(
      name: "OnMain", dependencies: [coreData, "Shared"], swiftSettings: strict + [.defaultIsolation(MainActor.self)],
      plugins: models),
    .target(
      name: "Five", dependencies: [coreData], swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)],
      plugins: models),
    .executableTarget(
      name: "Demo",
      dependencies: [
        "Generated", "Category", "HandWritten", "OnMain", "Five", coreData, .product(name: "Kit", package: "Kit"),
      ],
      swiftSettings: strict, plugins: models),
  ],
  swiftLanguageModes: [.v6]
)

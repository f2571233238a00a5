// swift-tools-version: 6.2
import PackageDescription

// Its own package: a fuzz target has no main of its own and links only with --sanitize=fuzzer.
let package = Package(
  name: "Fuzzing",
  dependencies: [.package(name: "Annals", path: "../..")],
  targets: [
    .executableTarget(name: "fuzz-log", dependencies: [.product(name: "LogStore", package: "Annals")]),
    .executableTarget(name: "fuzz-model", dependencies: [.product(name: "Annals", package: "Annals")]),
    .executableTarget(name: "fuzz-predicate", dependencies: [.product(name: "Annals", package: "Annals")]),
  ],
  swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "Annals", path: "..")],
  targets: [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .executableTarget(
      name: "bench",
      dependencies: [
        "CSQLite", .product(name: "Annals", package: "Annals"), .product(name: "RowStore", package: "Annals"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)],
      plugins: [.plugin(name: "ModelPlugin", package: "Annals")]),
  ],
  swiftLanguageModes: [.v6]
)

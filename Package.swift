// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

/// A target of this package: its folder in Sources and the layers it stands on.
func layer(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

/// A program as its authors wrote it for Apple's platforms, kept as it is: an import of CoreData and language mode 5.
func ported(_ name: String) -> Target {
  .executableTarget(
    name: name, dependencies: ["CoreData"], path: "Tests/PortedPrograms/\(name)",
    swiftSettings: [.swiftLanguageMode(.v5)], plugins: ["ModelPlugin"])
}

let package = Package(
  name: "Annals",
  products: [
    .library(name: "Annals", targets: ["Annals"]),
    .library(name: "CoreData", targets: ["CoreData"]),
    // With the file systems that a log is opened in.
    .library(name: "LogStore", targets: ["LogStore", "FileSystem"]),
    // Typed rows on the log, without the object graph.
    .library(name: "RowStore", targets: ["RowStore", "FileSystem"]),
    .library(name: "SimulatedDisk", targets: ["SimulatedDisk"]),
    .executable(name: "annals", targets: ["annals-tool"]),
    .executable(name: "catalogue", targets: ["catalogue"]),
    .plugin(name: "ModelPlugin", targets: ["ModelPlugin"]),
  ],
  targets: [
    // C, and the only module that imports it.
    .systemLibrary(name: "CLZ4", pkgConfig: "liblz4", providers: [.apt(["liblz4-dev"])]),
    .systemLibrary(name: "CXXHash", pkgConfig: "libxxhash", providers: [.apt(["libxxhash-dev"])]),
    layer("Bytes", ["CLZ4", "CXXHash"]),

    // Bytes on a disk.
    layer("FileSystem"),
    layer("SimulatedDisk", ["FileSystem"]),
    layer("LogStore", ["Bytes", "FileSystem"]),

    // What is stored: schema values, rows, predicates.
    layer("Schema"),
    layer("Predicates", ["Schema"]),
    layer("Model", ["Schema", "Predicates"]),

    // The wall between graph and stores, and our store behind it.
    layer("StoreContract", ["Schema", "Predicates"]),
    layer("RecordStore", ["StoreContract", "Schema", "Predicates", "LogStore", "Bytes", "FileSystem"]),

    // Tables for programs that want no graph.
    layer("RowStore", ["RecordStore", "StoreContract", "Schema", "Predicates", "FileSystem"]),

    // The graph above it.
    layer("ObjectGraph", ["Model", "Predicates", "Schema", "StoreContract"]),

    // Umbrellas.
    layer("Annals", ["ObjectGraph", "Model", "Predicates", "RecordStore", "FileSystem", "StoreContract", "Schema"]),
    layer("CoreData", ["Annals"]),

    // Classes from models.
    layer("ModelCompiler", ["Model", "Schema", "Predicates"]),
    .executableTarget(name: "model-compiler", dependencies: ["ModelCompiler"], swiftSettings: strict),
    .plugin(
      name: "ModelPlugin", capability: .buildTool(), dependencies: ["model-compiler"], path: "Sources/ModelPlugin"),

    // Sources written for Apple's platforms.
    layer("Porting", ["ModelCompiler"]),

    // Programs.
    .executableTarget(
      name: "annals-tool",
      dependencies: [
        "RecordStore", "LogStore", "Model", "Schema", "StoreContract", "FileSystem", "Bytes", "ModelCompiler",
        "Porting",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "catalogue", dependencies: ["Annals", "CatalogueInput"], swiftSettings: strict, plugins: ["ModelPlugin"]),
    .executableTarget(
      name: "quick-start", dependencies: ["Annals"], swiftSettings: strict, plugins: ["ModelPlugin"]),
    .executableTarget(name: "shelf", dependencies: ["RowStore"], swiftSettings: strict),
    .executableTarget(name: "journal", dependencies: ["LogStore", "FileSystem"], swiftSettings: strict),
    layer("CatalogueInput", ["Bytes"]),
    .executableTarget(name: "crash-campaign", dependencies: ["CrashWorkload"], swiftSettings: strict),
    layer("CrashWorkload", ["LogStore", "SimulatedDisk", "FileSystem", "Bytes"]),

    // Tests.
    tests("BytesTests", ["Bytes"]),
    tests("FileSystemTests", ["FileSystem", "SimulatedDisk"]),
    tests("LogStoreTests", ["LogStore", "CrashWorkload", "SimulatedDisk", "FileSystem", "Bytes"]),
    tests("SchemaTests", ["Schema"]),
    tests("PredicatesTests", ["Predicates", "Schema"]),
    tests("ModelTests", ["Model", "Schema", "Predicates"]),
    tests(
      "RecordStoreTests",
      ["RecordStore", "StoreContract", "LogStore", "SimulatedDisk", "FileSystem", "Schema", "Predicates", "Bytes"]),
    tests("RowStoreTests", ["RowStore", "FileSystem", "SimulatedDisk"]),
    tests(
      "ObjectGraphTests",
      [
        "Annals", "CoreData", "ObjectGraph", "Model", "Predicates", "Schema", "StoreContract", "FileSystem",
        "SimulatedDisk",
      ]),
    tests("ModelCompilerTests", ["ModelCompiler", "Model", "Schema"], exclude: ["Fixtures"]),
    tests("PortingTests", ["Porting", "ModelCompiler", "CoreData"], exclude: ["Fixtures"]),
    tests("ToolTests", ["annals-tool", "RecordStore", "StoreContract", "Schema", "FileSystem"]),
    tests("CatalogueTests", ["CatalogueInput", "catalogue"]),
    tests("SurfaceTests", ["CoreData"]),
    ported("BlogApp"),
    ported("FeedImport"),
    ported("NotebookApp"),
    tests("PortedProgramsTests", ["BlogApp", "FeedImport", "NotebookApp"]),
    tests("HouseTests", ["quick-start", "shelf", "journal"]),
  ],
  swiftLanguageModes: [.v6]
)

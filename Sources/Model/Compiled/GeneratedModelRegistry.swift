internal import Foundation
public import Predicates

/// What the build plugin generated for one module: its models, and what the compiler knows about their classes that
/// cannot be found out at run time.
///
/// The plugin writes one subclass a module, named `AnnalsGeneratedModels`; a container finds it with
/// `NSClassFromString("Module.AnnalsGeneratedModels")`. Nothing registers itself at load time, since Swift has no hook
/// for it. All members are computed: ask once and keep the answer.
open class GeneratedModelRegistry: KeyPathNameTable {
  /// The module's models, by the order of their names.
  open class var models: [GeneratedModel] { [] }

  /// The modules that this one depends on, whose models a container of this one may name.
  open class var dependencies: [String] { [] }

  /// The property names behind the key paths of the module's managed classes, such as `\Post.title` → `title`.
  ///
  /// Inherited properties appear once for every class, since a key path knows its root type. Building the table
  /// evaluates every key path literal; do it when a key path is first asked for.
  open class func keyPathNames() -> [AnyKeyPath: String] { [:] }

  /// The methods `validate<Key>(_:)` of the module's managed classes.
  open class func validators() -> [GeneratedValidator] { [] }
}

/// A model that was compiled into the program.
public struct GeneratedModel: Sendable {
  /// The name of the model file without its extension: what `NSPersistentContainer(name:)` is given.
  public let name: String
  /// The name of the version that was current when the program was built; the model's own name if it has only one.
  public let versionName: String
  private let source: Source
  /// The entities whose classes read their properties by index, in the order of the frozen schema.
  public let entities: [GeneratedEntity]

  private enum Source: Sendable {
    case compiled(StaticString, checksum: String)
    case xml(String)
  }

  /// A model that the build plugin compiled.
  ///
  /// - Parameters:
  ///   - name: of the model file, without its extension.
  ///   - versionName: of the version that is current.
  ///   - compiled: all its versions: see `CompiledModel`.
  ///   - checksum: of the compiled model that `entities` and the classes were generated from.
  ///   - entities: those whose classes read their properties by index.
  public init(
    name: String, versionName: String, compiled: StaticString, checksum: String, entities: [GeneratedEntity]
  ) {
    self.name = name
    self.versionName = versionName
    source = .compiled(compiled, checksum: checksum)
    self.entities = entities
  }

  /// A model of one version, by the text of its `contents` file: for registries that people write.
  public init(name: String, versionName: String, contents: String, entities: [GeneratedEntity]) {
    self.name = name
    self.versionName = versionName
    source = .xml(contents)
    self.entities = entities
  }

  /// Names of all versions, for migration; the current one is among them.
  ///
  /// - Throws: `ModelError` when the compiled model is not the one that the classes were generated from.
  public func versionNames() throws(ModelError) -> [String] {
    guard let compiled = try compiled() else { return [versionName] }
    return compiled.versionNames
  }

  /// Makes descriptions of a version. They are the caller's to change.
  ///
  /// - Parameter version: the current one when `nil`.
  /// - Throws: `ModelError` when there is no such version, or the compiled model is not the one that the classes were
  ///   generated from.
  public func model(version: String? = nil) throws(ModelError) -> NSManagedObjectModel {
    if let compiled = try compiled() { return try compiled.model(version: version) }
    guard case .xml(let text) = source, version == nil || version == versionName else {
      throw ModelError("The model '\(name)' has no version '\(version ?? "")'; it has only '\(versionName)'.")
    }
    return try ModelReader.read(Data(text.utf8), file: "\(name)/\(versionName)").model
  }

  private func compiled() throws(ModelError) -> CompiledModel? {
    guard case .compiled(let literal, let checksum) = source else { return nil }
    let compiled = try CompiledModel(literal)
    guard compiled.checksum == checksum else {
      throw ModelError(
        "The model '\(name)' in the program (\(compiled.checksum)) is not the one that its classes were generated from (\(checksum)): build again."
      )
    }
    return compiled
  }
}

/// An entity as the code generator saw it: where its class expects each property.
public struct GeneratedEntity: Sendable {
  /// The entity’s name.
  public let name: String
  /// The class's name with its module, such as `App.Post`; `ObjectGraph.NSManagedObject` for an entity without one.
  public let className: String
  /// The names of all properties, inherited ones first: accessors pass a position in this list.
  public let propertyNames: [String]
  /// Whether the whole class was generated, up to `NSManagedObject`: then it overrides nothing, which cannot be asked of
  /// a Swift class at run time, and saving need not ask its `validateValue` about every property.
  public let isWhollyGenerated: Bool
  /// The class, where it is declared inside another type: those can't be found by name.
  package let nestedClass: (@Sendable () -> AnyClass)?

  /// What the generator writes.
  public init(
    name: String, className: String, propertyNames: [String], isWhollyGenerated: Bool = false,
    nestedClass: (@Sendable () -> AnyClass)? = nil
  ) {
    self.nestedClass = nestedClass
    self.name = name
    self.className = className
    self.propertyNames = propertyNames
    self.isWhollyGenerated = isWhollyGenerated
  }
}

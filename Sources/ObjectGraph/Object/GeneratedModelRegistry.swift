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

  /// The property names behind the key paths of the module's managed classes, such as `\Post.title` → `title`.
  ///
  /// Inherited properties appear once for every class, since a key path knows its root type. Building the table
  /// evaluates every key path literal; do it when a key path is first asked for.
  open class func keyPathNames() -> [AnyKeyPath: String] { [:] }
}

/// A model that was compiled into the program.
public struct GeneratedModel: Sendable {
  /// The name of the model file without its extension: what `NSPersistentContainer(name:)` is given.
  public let name: String
  /// The name of the version that was current when the program was built; the model's own name if it has only one.
  public let versionName: String
  /// The text of that version's `contents` file.
  public let contents: String
  /// The entities whose classes read their properties by index, in the order of the frozen schema.
  public let entities: [GeneratedEntity]

  /// What the generator writes.
  public init(name: String, versionName: String, contents: String, entities: [GeneratedEntity]) {
    self.name = name
    self.versionName = versionName
    self.contents = contents
    self.entities = entities
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

  /// What the generator writes.
  public init(name: String, className: String, propertyNames: [String], isWhollyGenerated: Bool = false) {
    self.name = name
    self.className = className
    self.propertyNames = propertyNames
    self.isWhollyGenerated = isWhollyGenerated
  }
}

public import Foundation
internal import Schema

/// A model in the form that programs carry: all its versions, ready to be made into descriptions without XML and
/// without another check.
///
/// The build plugin puts one into each generated registry, as a string literal; `model-compiler --compiled` writes one
/// as a file, which `NSManagedObjectModel(contentsOf:)` reads. Reading costs a pass over the text of one version, well
/// under a millisecond for 40 entities. A checksum over everything tells damage, and tells a registry whether its
/// classes were generated from this very model.
public struct CompiledModel: Sendable {
  /// The first line of every compiled model.
  static let signature = "Annals model 1\n"

  /// Names of the versions, in the order of the source.
  public let versionNames: [String]
  /// The version that the program was built with.
  public let currentVersionName: String
  /// Of everything in it, as 16 hexadecimal digits.
  public let checksum: String
  private let bytes: [UInt8]
  private let places: [Range<Int>]

  /// A compiled model in a literal.
  ///
  /// - Throws: `ModelError` when it is none, or is damaged.
  public init(_ literal: StaticString) throws(ModelError) {
    // unsafe: a literal lives as long as the program, and tells its own length.
    try self.init(
      Array(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)), name: "the program")
  }

  /// A compiled model in a file.
  ///
  /// - Throws: `ModelError` when it is none, or is damaged.
  public init(data: Data, file: String = "model") throws(ModelError) {
    try self.init(Array(data), name: file)
  }

  init(_ bytes: [UInt8], name: String) throws(ModelError) {
    func failure(_ what: String) -> ModelError {
      ModelError(
        "The compiled model in \(name) can't be read.",
        diagnostics: [ModelDiagnostic(.error, "\(what): build it again", file: name)])
    }
    let start: Int = Self.signature.utf8.count + 17
    guard Self.isCompiled(bytes), bytes.count >= start else { throw failure("it is no compiled model of this version") }
    checksum = String(decoding: bytes[Self.signature.utf8.count..<start - 1], as: UTF8.self)
    let isWhole: Bool = bytes[start - 1] == UInt8(ascii: "\n") && Self.checksum(of: bytes[start...]) == checksum
    guard isWhole else { throw failure("it is damaged") }
    self.bytes = bytes
    var reader = CompiledTextReader(bytes, start..<bytes.count)
    do throws(CompiledTextReader.Fault) {
      let current: Int = try reader.count(1 << 20)
      var names: [String] = []
      var places: [Range<Int>] = []
      for _ in 0..<(try reader.length()) {
        names.append(try reader.text())
        places.append(try reader.skip(try reader.length()))
      }
      guard names.indices.contains(current), reader.isAtEnd else { throw reader.fault("there is no current version") }
      versionNames = names
      currentVersionName = names[current]
      self.places = places
    } catch {
      throw failure("\(error.message) at byte \(error.offset)")
    }
  }

  /// Whether data starts as compiled models do.
  static func isCompiled(_ bytes: some Sequence<UInt8>) -> Bool { bytes.starts(with: signature.utf8) }

  /// Makes descriptions of a version. They are the caller's to change.
  ///
  /// - Parameter version: the current one when `nil`.
  /// - Throws: `ModelError` when there is no such version.
  public func model(version: String? = nil) throws(ModelError) -> NSManagedObjectModel {
    let name: String = version ?? currentVersionName
    guard let index = versionNames.firstIndex(of: name) else {
      throw ModelError("There is no version '\(name)'; there is \(versionNames.joined(separator: ", ")).")
    }
    var decoder = CompiledModelDecoder(CompiledTextReader(bytes, places[index]))
    do throws(CompiledTextReader.Fault) {
      return try decoder.model()
    } catch {
      throw ModelError("The version '\(name)' can't be read: \(error.message) at byte \(error.offset).")
    }
  }

  // MARK: Making one

  /// Compiles versions that have been read and found sound.
  ///
  /// - Returns: the whole text, in UTF-8.
  package static func text(of versions: [(name: String, model: NSManagedObjectModel)], current: Int) -> String {
    var body = CompiledText()
    body.add(current)
    body.add(versions.count)
    for (name, model) in versions {
      body.add(name)
      var encoder = CompiledModelEncoder()
      encoder.add(model)
      body.add(String(decoding: encoder.text.bytes, as: UTF8.self))
    }
    return signature + checksum(of: body.bytes[...]) + "\n" + String(decoding: body.bytes, as: UTF8.self)
  }

  /// FNV-1a: against accidents, not against people.
  private static func checksum(of bytes: ArraySlice<UInt8>) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

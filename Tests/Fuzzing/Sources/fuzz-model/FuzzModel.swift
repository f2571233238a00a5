import Annals
import Foundation

/// The input is a model file: the text of an Xcode model's `contents`, or a compiled model. What can be read can also be
/// frozen or refused, written, and read again to the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzModel(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let bytes else { return 0 }
  let data = Data(bytes: bytes, count: count)
  guard let model = try? ModelReader.read(data, file: "contents").model else { return 0 }
  let text = ModelWriter.xml(of: model)
  let checksum = model.versionChecksum
  _ = try? model.schema()
  precondition(model.versionChecksum == checksum, "freezing changed a version hash")
  // What only a compiled model can say, such as names that XML can't hold, need not survive XML.
  guard bytes[0] == UInt8(ascii: "<") else { return 0 }
  guard let again = try? ModelReader.read(Data(text.utf8), file: "written").model else {
    fatalError("what was written can't be read:\n\(text)")
  }
  precondition(ModelWriter.xml(of: again) == text, "what was written reads as something else:\n\(text)")
  precondition(again.versionChecksum == checksum, "writing changed a version hash:\n\(text)")
  return 0
}

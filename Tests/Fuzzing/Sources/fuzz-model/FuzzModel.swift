import Annals
import Foundation

/// The input is the text of an Xcode model's `contents` file.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzModel(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let bytes else { return 0 }
  let data = Data(bytes: bytes, count: count)
  guard let reading = try? ModelReader.read(data, file: "contents") else { return 0 }
  _ = try? reading.model.schema()
  return 0
}

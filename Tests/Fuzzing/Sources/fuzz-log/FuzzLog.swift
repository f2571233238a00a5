import FileSystem
import LogStore

/// The input is the one segment file of a store: it is verified, opened for reading, and opened for writing, which cuts
/// a torn end or refuses.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLog(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let bytes else { return 0 }
  do {
    let disk = MemoryFileSystem()
    try disk.createDirectory("store")
    let file = try disk.open("store/log-0000000000000001.seg", .createNew)
    try file.write(UnsafeRawBufferPointer(start: bytes, count: count), at: 0)
    _ = try LogStore.verify("store", in: disk)
    for mode in [LogStore.Options.Mode.readOnly, .readWrite] {
      let log = try LogStore.open("store", in: disk, options: LogStore.Options(mode: mode)) { record in
        for index in record.blocks.indices { _ = try record.block(index) }
      }
      try log.close()
    }
  } catch {
    // Any typed error is a right answer; a trap or a hang is not.
  }
  return 0
}

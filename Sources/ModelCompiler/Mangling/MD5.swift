internal import Foundation

/// The MD5 digest: the compiler names private declarations after that of their module and file.
enum MD5 {
  private static let shifts: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
  private static let sines: [UInt32] = (0..<64).map { UInt32(abs(sin(Double($0 + 1))) * 4_294_967_296) }

  /// 32 upper-case hexadecimal digits.
  static func hex(_ text: String) -> String {
    var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]
    let message = padded(Array(text.utf8))
    for start in stride(from: 0, to: message.count, by: 64) {
      mix(block: message[start..<start + 64], into: &state)
    }
    let digits: [UInt8] = Array("0123456789ABCDEF".utf8)
    var output: [UInt8] = []
    for word in state {
      for byte in 0..<4 {
        let value = Int((word >> UInt32(8 * byte)) & 0xff)
        output.append(digits[value >> 4])
        output.append(digits[value & 15])
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    var message = bytes
    message.append(0x80)
    while message.count % 64 != 56 { message.append(0) }
    let bitCount = UInt64(bytes.count) * 8
    for byte in 0..<8 { message.append(UInt8(truncatingIfNeeded: bitCount >> UInt64(8 * byte))) }
    return message
  }

  private static func mix(block: ArraySlice<UInt8>, into state: inout [UInt32]) {
    var words: [UInt32] = Array(repeating: 0, count: 16)
    for (index, byte) in block.enumerated() { words[index / 4] |= UInt32(byte) << UInt32(8 * (index % 4)) }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for round in 0..<64 {
      var mixed: UInt32
      let word: Int
      switch round / 16 {
      case 0: (mixed, word) = ((b & c) | (~b & d), round)
      case 1: (mixed, word) = ((d & b) | (~d & c), (5 * round + 1) % 16)
      case 2: (mixed, word) = (b ^ c ^ d, (3 * round + 5) % 16)
      default: (mixed, word) = (c ^ (b | ~d), (7 * round) % 16)
      }
      mixed = mixed &+ a &+ sines[round] &+ words[word]
      let shift = shifts[round / 16 * 4 + round % 4]
      (a, d, c) = (d, c, b)
      b = b &+ ((mixed << shift) | (mixed >> (32 - shift)))
    }
    state[0] = state[0] &+ a
    state[1] = state[1] &+ b
    state[2] = state[2] &+ c
    state[3] = state[3] &+ d
  }
}

/// Numbers that look random and are the same for the same seed, on every machine (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// The same seed gives the same numbers, on every machine.
  public init(seed: UInt64) { state = seed }

  /// The next number of the sequence.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to, but not including, `bound`; 0 when that is 0. Slightly uneven for huge bounds, and fast.
  public mutating func below(_ bound: Int) -> Int {
    bound > 0 ? Int(next() >> 33) % bound : 0
  }

  /// True once in `count` times, on average.
  public mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }
}

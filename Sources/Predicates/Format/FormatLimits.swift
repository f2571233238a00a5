/// Bounds on what a format may ask of the parser. Text from outside stays within them or gives an error.
enum FormatLimits {
  static let lengthBytesMax = 1 << 20
  /// Levels of parentheses, functions, negations and the like.
  static let nestingMax = 100
  /// Operators of equal rank one after another, as in `1 + 1 + 1`.
  static let chainMax = 1000
}

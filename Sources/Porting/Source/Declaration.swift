/// A declaration, as far as porting looks at it.
struct Declaration {
  struct Attribute {
    /// Without the sign: "objc".
    let name: String
    /// From the sign to the closing parenthesis, if there is one.
    let tokens: ClosedRange<Int>
  }

  /// The keyword: "class", "func", "var".
  let keyword: String
  /// The declared name; empty where there is none, as for an initialiser.
  let name: String
  /// The first attribute or modifier, or the keyword.
  let start: Int
  let keywordIndex: Int
  let attributes: [Attribute]
  let modifiers: [String]
  /// Of a type: what it inherits from, by first names and names after dots.
  let inheritance: [String]
  /// The declaration around it, by index; nil at the top and in functions.
  let scope: Int?

  func has(_ attribute: String) -> Bool { attributes.contains { $0.name == attribute } }
}

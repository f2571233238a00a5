/// Colours by meaning, so that a line is coloured the same everywhere.
enum Style: String {
  case number = "33"
  case faint = "2"
  case added = "32"
  case changed = "36"
  case removed = "31"
  case good = "1;32"
  case bad = "1;31"
}

extension Output {
  func styled(_ text: String, _ style: Style) -> String {
    usesColour ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}

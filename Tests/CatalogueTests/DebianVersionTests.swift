import CatalogueInput
import Testing

@Suite("Debian's version order")
struct DebianVersionTests {
  @Test("Versions sort as dpkg sorts them")
  func order() {
    // Each before the next.
    let versions = [
      "0~~", "0~~a", "0~", "0", "0.9", "0.10", "1.0~rc1-1", "1.0-1", "1.0-1+b1", "1.0-1.1", "1.0a-1", "1.0+dfsg-1",
      "1.2",
      "1.12", "1.012.1", "9", "10", "1:0.1", "2:0",
    ]
    for (i, a) in versions.enumerated() {
      for (j, b) in versions.enumerated() {
        #expect((DebianVersion(a) < DebianVersion(b)) == (i < j), "\(a) against \(b)")
      }
    }
    #expect(DebianVersion("1.0") == DebianVersion("0:1.0"))
    #expect(DebianVersion("1.01") == DebianVersion("1.1"))
  }
}

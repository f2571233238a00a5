import Foundation
import Testing

@testable import CatalogueInput

@Suite("Package indexes")
struct PackageIndexTests {
  private func entries(_ text: String) throws -> [PackageEntry] {
    try PackageIndexParser(file: "index", text: Array(text.utf8)).entries()
  }

  @Test("A paragraph's fields are read, continuation lines with them")
  func paragraph() throws {
    let read = try entries(
      """
      Package: 0ad
      Version: 0.0.26-3
      Installed-Size: 28591
      Maintainer: Games Team <games@example.org>
      Depends: 0ad-data (>= 0.0.26), libc6:any (>= 2.34) | musl, zlib1g
      Pre-Depends: dpkg
      Description: Strategy game
       of which more is said here
      Tag: game::strategy, implemented-in::{c,c++},
       role::program
      Section: games
      Size: 7891488


      Package: b
      Version: 1
      """)
    #expect(read.map(\.name) == ["0ad", "b"])
    let game = read[0]
    #expect(game.version == "0.0.26-3")
    #expect(game.installedKiB == 28591)
    #expect(game.downloadBytes == 7_891_488)
    #expect(game.summary == "Strategy game")
    #expect(game.tags == ["game::strategy", "implemented-in::c", "implemented-in::c++", "role::program"])
    #expect(game.dependencies.map(\.targetName) == ["0ad-data", "libc6", "musl", "zlib1g", "dpkg"])
    #expect(game.dependencies.map(\.group) == [0, 1, 1, 2, 3])
    #expect(game.dependencies.map(\.constraint) == [">= 0.0.26", ">= 2.34", nil, nil, nil])
    #expect(game.dependencies.map(\.isPre) == [false, false, false, false, true])
  }

  @Test("Equal text has an equal fingerprint, other text another")
  func fingerprint() throws {
    let read = try entries("Package: a\nVersion: 1\n\nPackage: a\nVersion: 1\n\nPackage: a\nVersion: 2\n")
    #expect(read[0].fingerprint == read[1].fingerprint)
    #expect(read[0].fingerprint != read[2].fingerprint)
  }

  @Test("Text that makes no sense is named with its file and line")
  func errors() {
    let cases: [(String, Int, String)] = [
      ("Package: a\nnonsense\n", 2, "expected a field"),
      ("Package: a\n\nVersion: 1\n", 3, "without a Package"),
      ("Package: a\nVersion: 1\nSize: big\n", 3, "must be a number"),
    ]
    for (text, line, message) in cases {
      do {
        _ = try entries(text)
        Issue.record("no error for \(text)")
      } catch let error as PackageIndexError {
        #expect(error.line == line)
        #expect(error.description.contains(message))
      } catch {
        Issue.record("\(error)")
      }
    }
  }

  @Test("What dpkg no longer has installed is left out")
  func status() throws {
    let read = try entries(
      "Package: a\nStatus: install ok installed\n\nPackage: b\nStatus: deinstall ok config-files\n")
    #expect(read.map(\.name) == ["a"])
  }
}

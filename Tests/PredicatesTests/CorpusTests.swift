import Foundation
import Testing

@testable import Predicates

@Suite("Real formats")
struct CorpusTests {
  @Test("Every format of the corpus parses", .enabled(if: Corpus.isPresent))
  func parses() throws {
    let entries = try Corpus.entries()
    #expect(entries.count > 1000)
    for entry in entries {
      do {
        _ = try NSPredicate(parsing: entry.format, arguments: entry.arguments)
      } catch {
        Issue.record("\(error) — arguments \(entry.kinds)")
      }
    }
  }

  @Test("C94: the text of every format of the corpus parses to an equal predicate", .enabled(if: Corpus.isPresent))
  func roundTrips() throws {
    for entry in try Corpus.entries() {
      guard let predicate = try? NSPredicate(parsing: entry.format, arguments: entry.arguments) else { continue }
      let text = predicate.formatText
      do {
        let again = try NSPredicate(parsing: text)
        #expect(isSamePredicate(predicate, again), "\(entry.format) → \(text) → \(again.formatText)")
        #expect(again.formatText == text)
      } catch {
        Issue.record("\(entry.format) → \(text): \(error)")
      }
    }
  }
}

import Annals
import Foundation
import Testing

@testable import ObjectGraph

@Suite("History tokens")
struct HistoryTokenTests {
  private let token = NSPersistentHistoryToken(numbers: [
    "6A1C7F0E-3A52-4B9C-9B1B-0F4E7A3C2D10": 7, "0F4E7A3C-2D10-4B9C-9B1B-6A1C7F0E3A52": 12,
  ])

  @Test("A token survives archiving, and equals itself afterwards")
  func archiving() throws {
    let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
    let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data)
    #expect(read == token)
    #expect(read?.hash == token.hash)
    #expect(read != NSPersistentHistoryToken(numbers: [:]))
  }

  @Test("An archive of something else is no token")
  func foreignArchive() throws {
    let data = try NSKeyedArchiver.archivedData(withRootObject: NSString("no token"), requiringSecureCoding: true)
    let read = try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data)
    #expect(read == nil)
  }
}

import Foundation
import Testing

@testable import Model

@Suite("Value transformers")
struct TransformerTests {
  final class Reverser: ValueTransformer {
    override class func transformedValueClass() -> AnyClass { NSData.self }
    override class func allowsReverseTransformation() -> Bool { true }
    override func transformedValue(_ value: Any?) -> Any? {
      (value as? String).map { Data(String($0.reversed()).utf8) }
    }
    override func reverseTransformedValue(_ value: Any?) -> Any? {
      (value as? Data).map { String(String(decoding: $0, as: UTF8.self).reversed()) }
    }
  }

  final class StringsOnly: NSSecureUnarchiveFromDataTransformer {
    override class var allowedTopLevelClasses: [AnyClass] { [NSString.self] }
  }

  @Test("a registered transformer is found by its name, and an attribute finds its own")
  func registry() throws {
    let name = NSValueTransformerName("TransformerTests.Reverser")
    ValueTransformer.setValueTransformer(Reverser(), forName: name)
    #expect(ValueTransformer(forName: name) is Reverser)
    #expect(ValueTransformer.valueTransformerNames().contains(name))
    let attribute = NSAttributeDescription()
    attribute.attributeType = .transformableAttributeType
    #expect(attribute.transformer is NSSecureUnarchiveFromDataTransformer)
    attribute.valueTransformerName = name.rawValue
    let transformer = try #require(attribute.transformer)
    let data: Data? = transformer.storedData(of: "abc")
    #expect(data == Data("cba".utf8))
    #expect(transformer.value(ofStored: Data("cba".utf8)) as? String == "abc")
    ValueTransformer.setValueTransformer(nil, forName: name)
    #expect(attribute.transformer == nil)
  }

  @Test("A1.12: the secure transformer archives Swift's collections and gives them back")
  func secure() throws {
    let transformer = try #require(ValueTransformer(forName: .secureUnarchiveFromDataTransformerName))
    let values: [Any] = [["a", "b"], ["k": 1], "text", 7, Date(timeIntervalSinceReferenceDate: 5), [Int64(3), 4]]
    for value in values {
      let data: Data = try #require(transformer.storedData(of: value), "\(value)")
      #expect(transformer.value(ofStored: data) != nil, "\(value)")
    }
    let data: Data = try #require(transformer.storedData(of: ["a", "b"]))
    #expect(transformer.value(ofStored: data) as? [String] == ["a", "b"])
  }

  @Test("A1.12: collections that can be changed come back so")
  func mutableValues() throws {
    let transformer: ValueTransformer = try #require(ValueTransformer(forName: .secureUnarchiveFromDataTransformerName))
    func roundTrip(_ value: Any) throws -> Any? {
      transformer.value(ofStored: try #require(transformer.storedData(of: value)))
    }
    let dictionary = NSMutableDictionary(dictionary: ["a": [1, "b"]])
    let read = try #require(try roundTrip(dictionary) as? NSMutableDictionary)
    #expect(read == dictionary)
    #expect(try roundTrip(NSMutableArray(array: ["x"])) as? NSMutableArray == ["x"])
    #expect(try roundTrip(NSMutableSet(array: [1])) as? NSMutableSet == NSMutableSet(array: [1]))
    #expect(try roundTrip(["x"]) as? [String] == ["x"])
  }

  @Test("classes that aren't allowed are neither archived nor unarchived")
  func allowedClasses() throws {
    let strings = StringsOnly()
    #expect(strings.storedData(of: ["a"]) == nil)
    let array: Data = try #require(NSSecureUnarchiveFromDataTransformer().storedData(of: ["a"]))
    #expect(strings.value(ofStored: array) == nil)
    let text: Data = try #require(strings.storedData(of: "a"))
    #expect(strings.value(ofStored: text) as? String == "a")
    #expect(strings.value(ofStored: Data("rubbish".utf8)) == nil)
    #expect(NSSecureUnarchiveFromDataTransformer().storedData(of: NSObject()) == nil)
  }

  @Test("the standard ones about nothing and truth work")
  func standard() throws {
    let isNil = try #require(ValueTransformer(forName: .isNilTransformerName))
    #expect(isNil.transformedValue(nil) as? Bool == true)
    #expect(isNil.transformedValue("x") as? Bool == false)
    let negate = try #require(ValueTransformer(forName: .negateBooleanTransformerName))
    #expect(negate.transformedValue(NSNumber(value: true)) as? Bool == false)
  }
}

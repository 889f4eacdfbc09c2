import JSON
import Testing

struct PlacedJSONObjectTests {
    private static func object(
        _ text: String
    ) throws(PlacedJSONObject.Failure) -> PlacedJSONObject {
        try PlacedJSONObject(parsing: Array(text.utf8)[...])
    }

    private static func failure(_ text: String) -> PlacedJSONObject.Failure? {
        do {
            _ = try object(text)
            return nil
        } catch {
            return error
        }
    }

    @Test func `members have the places of their values`() throws {
        let text = " {\"a\": 1, \"é\" :\"x\",\"b\":[ {} ] } "
        let object = try Self.object(text)
        #expect(object.members.map(\.key) == ["a", "é", "b"])
        let bytes = Array(text.utf8)
        #expect(
            object.members.map { String(decoding: bytes[$0.place], as: UTF8.self) }
                == ["1", "\"x\"", "[ {} ]"]
        )
        #expect(object["é"]?.value == "x")
        #expect(object["c"] == nil)
    }

    @Test func `a text that begins inside of an array has its own offsets`() throws {
        let bytes = Array("xx{\"a\":7}".utf8)
        let object = try PlacedJSONObject(parsing: bytes[2...])
        #expect(object.members.first?.place == 5..<6)
        #expect(object.members.first.map(object.text) == "7")
    }

    @Test(arguments: [
        ("1.0", "1.0"), ("1e3", "1e3"), ("-0", "-0"), ("1E+02", "1E+02"),
        ("12345678901234567890123", "12345678901234567890123"), ("0.10", "0.10"),
        ("[ 1.0 , 1e3 ]", "[1.0,1e3]"), ("{ \"k\" : 1.50 }", "{\"k\":1.50}"),
        ("[\"a b\", \"\\u0061\\/\\n\"]", "[\"a b\",\"a/\\n\"]"), ("true", "true"), ("[]", "[]"),
    ])
    func `values keep the spelling of numbers`(value: String, text: String) throws {
        let object = try Self.object("{\"x\": \(value) , \"y\": 1}")
        let member = try #require(object["x"])
        #expect(object.text(of: member) == text)
    }

    @Test(arguments: [
        ("{\"a\":1,\"a\":1}", PlacedJSONObject.Failure.repeatedKey("a", offset: 7, first: 1)),
        ("{\"a\":1,\"\\u0061\":2}", .repeatedKey("a", offset: 7, first: 1)),
        ("{\"b\":{\"a\":1, \"a\":2}}", .repeatedKey("a", offset: 13, first: 6)),
        ("{\"b\":[0,{\"a\":1,\"a\":2}]}", .repeatedKey("a", offset: 15, first: 9)),
    ])
    func `a key may be used once`(text: String, failure: PlacedJSONObject.Failure) {
        #expect(Self.failure(text) == failure)
    }

    @Test func `finds the repeated one of many keys`() {
        for count in [15, 16, 17, 18, 1_000] {
            let keys = (0..<count).map { "\"k\($0)\":1" }.joined(separator: ",")
            let offset = keys.utf8.count + 2
            #expect(Self.failure("{\(keys)}") == nil)
            #expect(
                Self.failure("{\(keys),\"k0\":1}")
                    == .repeatedKey("k0", offset: offset, first: 1)
            )
            #expect(
                Self.failure("{\(keys),\"k\(count - 1)\":1}")
                    == .repeatedKey(
                        "k\(count - 1)",
                        offset: offset,
                        first: offset - "\"k\(count - 1)\":1,".utf8.count
                    )
            )
        }
    }

    @Test func `the same key may be in different objects`() throws {
        let object = try Self.object("{\"a\":{\"a\":1},\"b\":[{\"a\":1},{\"a\":2}]}")
        #expect(object.members.count == 2)
    }

    @Test(arguments: [
        ("", PlacedJSONObject.Failure.notJSON(offset: 0)), ("{\"a\":1", .notJSON(offset: 6)),
        ("{\"a\":01}", .notJSON(offset: 7)), ("{\"a\":1}x", .notJSON(offset: 7)),
        ("{\"a\":1,}", .notJSON(offset: 7)), ("{a:1}", .notJSON(offset: 1)),
        ("[1]", .notAnObject), ("7", .notAnObject), ("\"a\"", .notAnObject),
        ("[1", .notJSON(offset: 2)), ("{\"a\":\"x\\u0000\"}", .nul(offset: 7)),
        ("{\"\\u0000\":1}", .nul(offset: 2)), ("{\"a\":\"\0\"}", .notJSON(offset: 6)),
    ])
    func `reports what is not an object`(text: String, failure: PlacedJSONObject.Failure) {
        #expect(Self.failure(text) == failure)
    }

    @Test func `values of other readers may have repeated keys and NUL`() {
        #expect(JSONValue(parsing: "{\"a\":1,\"a\":\"\\u0000\"}") != nil)
    }

    @Test func `values have at most 100 levels`() {
        func nested(_ depth: Int) -> String {
            "{\"a\":" + String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
                + "}"
        }
        #expect(Self.failure(nested(99)) == nil)
        #expect(Self.failure(nested(100)) != nil)
    }
}

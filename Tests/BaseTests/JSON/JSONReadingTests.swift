import JSON
import Testing

struct JSONReadingTests {
    static let texts: [(String, JSONValue)] = [
        ("{}", [:]), (" [ ] ", []), ("null", .null), ("true", true), ("-0", 0),
        ("9223372036854775807", .integer(.max)),
        ("9223372036854775808", .number(9.223372036854775808e18)),
        ("1.5e2", .number(150)), (#""a\"\\\/\n\u00e9\ud83c\udf0a""#, "a\"\\/\né🌊"),
        (#"{"a":[1,{"b":false}],"c":"d"}"#, ["a": [1, ["b": false]], "c": "d"]),
    ]

    @Test(arguments: texts)
    func `reads valid JSON`(text: String, value: JSONValue) {
        #expect(JSONValue(parsing: text) == value)
    }

    @Test(arguments: [
        "", "{", "}", "[1,]", "{\"a\":1,}", "{a:1}", "'a'", "01", "1.", ".5", "+1", "1e", "nul",
        "\"\u{01}\"", "\"", "\"\\x\"", "\"\\ud800\"", "\"\\udc00\"", "1 2", "{\"a\" 1}", "NaN",
        String(repeating: "[", count: 200_000),
    ])
    func `refuses invalid JSON`(text: String) {
        #expect(JSONValue(parsing: text) == nil)
    }

    @Test func `limits the depth, and reads its own JSON twice as deep`() {
        func nested(_ levels: Int) -> String {
            String(repeating: "[", count: levels - 1) + "1"
                + String(repeating: "]", count: levels - 1)
        }
        #expect(JSONValue(parsing: nested(100)) != nil)
        #expect(JSONValue(parsing: nested(101)) == nil)
        #expect(JSONValue(stored: nested(200)) != nil)
        #expect(JSONValue(stored: nested(201)) == nil)
    }

    @Test func `refuses bytes that are not UTF-8`() {
        #expect(JSONValue(parsing: [0x22, 0xC3, 0x22]) == nil)
        #expect(JSONValue(parsing: [0x22, 0xED, 0xA0, 0x80, 0x22]) == nil)
    }

    @Test func `a whole decimal stays a decimal`() {
        #expect(JSONValue(parsing: "1.0") == .number(1))
        #expect(JSONValue(parsing: "1") == .integer(1))
    }

    @Test func `keeps the order of members`() {
        let value = JSONValue(parsing: #"{"z":1,"a":2,"m":3}"#)
        #expect(value?.objectValue?.members.map(\.key) == ["z", "a", "m"])
    }

    @Test func `keeps members of nested objects apart`() {
        let inner = (0..<40).map { #""k\#($0)":{"n":\#($0)}"# }.joined(separator: ",")
        let value = JSONValue(parsing: #"{"first":{},"all":{\#(inner)},"last":[{"a":1},{}]}"#)
        let object = value?.objectValue
        #expect(object?.members.map(\.key) == ["first", "all", "last"])
        #expect(object?["first"] == [:])
        #expect(object?["all"]?.objectValue?.members.map(\.key) == (0..<40).map { "k\($0)" })
        #expect(object?["all"]?["k39"] == ["n": 39])
        #expect(object?["last"] == [["a": 1], [:]])
    }

    @Test(arguments: [
        #"{"a":{"b":"long enough to be on the heap","c":}}"#, #"{"a":{"b":1},"c""#,
        #"{"a":{"b":"long enough to be on the heap""#,
    ])
    func `refuses objects that end too early`(text: String) {
        #expect(JSONValue(parsing: text) == nil)
    }
}

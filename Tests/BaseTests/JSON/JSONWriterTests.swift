import JSON
import Testing

struct JSONWriterTests {
    /// Python's `json.loads` returned the original string for each text.
    @Test(arguments: [
        ("", #""""#),
        ("a\"b", #""a\"b""#),
        ("back\\slash", #""back\\slash""#),
        ("\n\r\t", #""\n\r\t""#),
        ("\u{0}\u{8}\u{C}\u{1F}\u{7F}", #""\u0000\u0008\u000c\u001f\u007f""#),
        ("/</script>", #""/</script>""#),
        ("é潮🌊", "\"é潮🌊\""),
        ("\u{2028}\u{85}", "\"\u{2028}\u{85}\""),
    ])
    func `escapes what JSON requires and control characters`(text: String, json: String) {
        #expect(JSONValue.string(text).compactText == json)
        #expect(
            JSONValue.object(JSONObject([.init(key: text, value: .null)])).compactText
                == "{\(json):null}"
        )
        #expect(JSONValue(parsing: json) == .string(text))
    }

    @Test(
        arguments: [
            (JSONValue.null, "null"), (true, "true"), (false, "false"), (0, "0"), (-7, "-7"),
            (.integer(.max), "9223372036854775807"), (.integer(.min), "-9223372036854775808"),
            (.number(4.5), "4.5"), (.number(-0.25), "-0.25"), (.number(.infinity), "null"),
            (.number(.nan), "null"), ([], "[]"), ([1, "a", .null], #"[1,"a",null]"#), ([:], "{}"),
            (["b": 1, "a": [:]], #"{"b":1,"a":{}}"#),
        ] as [(JSONValue, String)]
    )
    func `writes compactly and in order`(value: JSONValue, text: String) {
        #expect(value.compactText == text)
    }

    @Test func `writes one member per line for readers`() {
        let value: JSONValue = ["a": [1, [:]], "b": [], "c": ["d": "e"]]
        #expect(
            value.prettyText == """
                {
                  "a": [
                    1,
                    {}
                  ],
                  "b": [],
                  "c": {
                    "d": "e"
                  }
                }
                """
        )
    }

    @Test(arguments: ["", "{", "[1", "{\"a\":}", "nul", "'a'", "1 2"])
    func `reads nothing from other types`(text: String) {
        #expect(JSONValue(parsing: text) == nil)
    }

    @Test func `objects are equal in any order`() {
        let one: JSONValue = ["a": 1, "b": 2]
        let other: JSONValue = ["b": 2, "a": 1]
        #expect(one == other)
        #expect(Set([one, other]).count == 1)
        #expect(one != ["a": 1])
        #expect(one != ["a": 1, "b": 3])
    }

    @Test func `setting a member keeps its place and nil removes it`() {
        var object: JSONObject = ["a": 1, "b": 2]
        object["a"] = 3
        object["c"] = 4
        object["b"] = nil
        object["d"] = nil
        #expect(JSONValue.object(object).compactText == #"{"a":3,"c":4}"#)
    }
}

import JSON
import TestSupport
import Testing

@testable import EmulatorAPI

struct JSONProblemTests {
    static let problems: [(String, String)] = [
        ("{\"a\":1,}", "Expected an object key or }.\n{\"a\":1,}\n       ^"),
        ("{\"a\" {}}", "Expected : between key:value pair.\n{\"a\" {}}\n     ^"),
        ("{\"a\":1 \"b\":2}", "Expected , or } after key:value pair.\n{\"a\":1 \"b\":2}\n       ^"),
        ("[1 2]", "Expected , or ] after array value.\n[1 2]\n   ^"),
        ("[1,]", "Expected a value.\n[1,]\n   ^"),
        ("{a:1}", "Expected an object key or }.\n{a:1}\n ^"),
        ("to=pixel", "Unexpected token.\nto=pixel\n^"),
        ("{", "Unexpected end of string. Expected an object key or }.\n{\n ^"),
        ("{\"a\"", "Unexpected end of string. Expected : between key:value pair.\n{\"a\"\n    ^"),
        ("{\"a\":", "Unexpected end of string. Expected a value.\n{\"a\":\n     ^"),
        ("[1", "Unexpected end of string. Expected , or ] after array value.\n[1\n  ^"),
        ("[\"a]", "Closing quote expected in string.\n[\"a]\n ^"),
        ("[\"\\x\"]", "Invalid escape sequence.\n[\"\\x\"]\n   ^"),
        ("[1.2.3]", "Unable to parse number.\n[1.2.3]\n ^"),
        ("{} x", "Parsing terminated before end of input.\n{} x\n   ^"),
        (
            "[\"0123456789012345678901234567890123456789\" x]",
            "Expected , or ] after array value.\n234567890123456789\" x]\n"
                + "                    ^"
        ),
    ]

    @Test(.covers("A48"), arguments: problems)
    func `reports the first problem and its position`(json: String, text: String) {
        #expect(JSONValue(parsing: json) == nil)
        #expect(JSONProblem(in: Array(json.utf8))?.text == text)
    }

    @Test(arguments: ["{}", " [1, -2.5e3, \"\\u0041é\", null, true] ", "{\"a\":{\"b\":[]}}"])
    func `finds no problem in valid JSON`(json: String) {
        #expect(JSONProblem(in: Array(json.utf8)) == nil)
    }
}

import CampaignModel
import Diagnostics
import JSON
import TestSupport
import Testing
import Text

struct FreeValueTests {
    /// The expected types follow YAML 1.2's core schema.
    @Test(
        arguments: [
            ("no", "no"), ("yes", "yes"), ("on", "on"), ("true", true), ("False", false),
            ("tRue", "tRue"), ("12", 12), ("-3", -3), ("0", 0),
            ("1.5", .number(1.5)), ("1.10", .number(1.1)), ("-0.5", .number(-0.5)),
            ("0.0", .number(0)), ("2.50e+3", .number(2500)), ("25E-1", .number(2.5)),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("0.30000000000000004", .number(0.30000000000000004)),
            ("1e3", .number(1000)), (".5", .number(0.5)), ("1:30", "1:30"), ("1_000", "1_000"),
            ("+-1", "+-1"), ("nan", "nan"), ("infinity", "infinity"), ("0x1F", "0x1F"),
            ("\"12\"", "12"), ("'true'", "true"), ("\"\"", ""), ("null", .null), ("~", .null),
            ("2037-03-20", "2037-03-20"), ("[1, a]", [1, "a"]),
            ("{ b: 1, a: [] }", ["b": 1, "a": []]),
        ] as [(String, JSONValue)]
    )
    func `a free-form value gets its JSON type from its form`(text: String, value: JSONValue) {
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message:
                  apns:
                    payload:
                      aps: { badge: 1 }
                      tide: \(text)
                """
        )
        #expect(files.errors == [])
        #expect(files.campaign?.content.value(at: ["apns", "payload", "tide"]) == value)
    }

    @Test(arguments: [
        ("0123", "123"), ("+5", "5"), ("-0", "0"), ("-012", "-12"), ("+1.5", "1.5"),
        ("01.5", "1.5"), ("-00.5", "-0.5"), ("+.5", "0.5"),
        ("0.1234567890123456789", "0.12345678901234568"), ("9007199254740993.0", nil),
        ("1e-400", "0.0"),
    ])
    func `a number that would change is refused`(text: String, sent: String?) {
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message: { apns: { payload: { aps: { alert: T }, tide: «\(text)» } } }
                """
        )
        #expect(files.errors == files.expected(.numberOutOfRange))
        let error = files.diagnostics.first { $0.severity == .error }
        #expect(error?.message == "\(text) cannot be sent exactly as written")
        if let sent {
            #expect(error?.label == "as a number it would be sent as \(sent)")
        }
    }

    @Test(arguments: ["9223372036854775808", "123456789012345678901234567890", "1e999"])
    func `a number that is too large is refused`(text: String) {
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message: { apns: { payload: { aps: { alert: T }, tide: «\(text)» } } }
                """
        )
        #expect(files.errors == files.expected(.numberOutOfRange))
    }

    @Test(
        .covers("A43", "F1.3-data"),
        arguments: ["0123", "no", "2:45", "1e3", "true", "+1.43%", "0.9.10", "0x1F"]
    )
    func `data values keep their text`(text: String) {
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message: { data: { value: \(text) } }
                """
        )
        #expect(files.campaign?.content.value(at: ["data", "value"]) == .string(text))
    }
}

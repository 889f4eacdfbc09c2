import CampaignModel
import FCMWire
import TestSupport
import Testing

struct FreeValueTests {
    /// By YAML 1.2's core schema.
    @Test(
        arguments: [
            ("no", "no"), ("yes", "yes"), ("on", "on"), ("true", true), ("False", false),
            ("tRue", "tRue"), ("12", 12), ("+12", 12), ("-3", -3), ("0123", 123),
            ("1.5", .number(1.5)),
            ("1e3", .number(1000)), (".5", .number(0.5)), ("1:30", "1:30"), ("1_000", "1_000"),
            ("+-1", "+-1"), ("nan", "nan"), ("infinity", "infinity"), ("0x1F", "0x1F"),
            ("\"12\"", "12"), ("'true'", "true"), ("\"\"", ""), ("null", .null), ("~", .null),
            ("2037-03-20", "2037-03-20"), ("[1, a]", [1, "a"]),
            ("{ b: 1, a: [] }", ["b": 1, "a": []]),
        ] as [(String, JSONValue)]
    )
    func `a free value is JSON by its looks`(text: String, value: JSONValue) {
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message:
                  apns:
                    payload:
                      tide: \(text)
                """
        )
        #expect(files.errors == [])
        #expect(files.campaign?.content.value(at: ["apns", "payload", "tide"]) == value)
    }

    @Test(
        .covers("A43", "F1.3-data"),
        arguments: ["0123", "no", "2:45", "1e3", "true", "+1.43%", "0.9.10", "0x1F"]
    )
    func `data are text as written`(text: String) {
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

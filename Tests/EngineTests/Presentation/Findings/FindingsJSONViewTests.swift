import JSON
import Presentation
import Testing

struct FindingsJSONViewTests {
    private let sample = FindingsSample()

    private func render() throws -> JSONValue {
        let text = FindingsJSONView(catalog: sample.catalog).render(sample.findings)
        return try #require(JSONValue(parsing: text))
    }

    @Test func `counts the findings`() throws {
        let report = try render()
        #expect(report["version"] == "1.0")
        #expect(report["counts"] == ["error": 1, "warning": 0, "note": 2])
        #expect(report["findings"]?.arrayValue?.count == 3)
    }

    @Test func `a finding has its position in scalars and bytes, and all its details`() throws {
        let path: JSONValue = "campaigns/ä b.yaml"
        #expect(
            try render()["findings"]?.arrayValue?[1] == [
                "rule": "topic-prefix", "severity": "note", "message": "[a](b)\u{1B}",
                "path": path, "line": 1, "column": 9, "endLine": 2, "endColumn": 3,
                "offset": 12, "length": 7, "label": "{here}", "help": ["one", "two"],
                "related": [
                    [
                        "message": "there", "path": path, "line": 1, "column": 4, "endLine": 1,
                        "endColumn": 8, "offset": 3, "length": 8,
                    ]
                ],
                "fix": [
                    "path": path, "line": 1, "column": 9, "endLine": 1, "endColumn": 10,
                    "offset": 12, "length": 1, "replacement": "%", "applicability": "safe",
                ],
            ]
        )
    }

    @Test func `a finding without a file has null for its position`() throws {
        #expect(
            try render()["findings"]?.arrayValue?[0] == [
                "rule": "unreadable-file", "severity": "error", "message": "gone", "path": .null,
                "line": .null, "column": .null, "endLine": .null, "endColumn": .null,
                "offset": .null, "length": .null, "label": .null, "help": [], "related": [],
                "fix": .null,
            ]
        )
    }
}

import Diagnostics
import JSON
import Presentation
import Testing
import Text

struct SARIFViewTests {
    private let sample = FindingsSample()

    private func run(prefix: String = "") throws -> JSONValue {
        let view = SARIFView(
            catalog: sample.catalog,
            pathPrefix: prefix,
            wholeProject: "herald.yaml",
            descriptions: [.topicPrefix: "Finds prefixes."]
        )
        let text = view.render(sample.findings, of: SARIFView.Run(version: "1.2.3", exitCode: 65))
        return try #require(JSONValue(parsing: text)?["runs"]?.arrayValue?.first)
    }

    @Test func `names the tool and its result`() throws {
        let run = try run()
        #expect(run["tool"]?["driver"]?["name"] == "Herald")
        #expect(run["tool"]?["driver"]?["version"] == "1.2.3")
        #expect(run["invocations"] == [["executionSuccessful": true, "exitCode": 65]])
        #expect(run["columnKind"] == "utf16CodeUnits")
    }

    @Test func `names each rule once, with its description or its name`() throws {
        #expect(
            try run()["tool"]?["driver"]?["rules"] == [
                [
                    "id": "topic-prefix", "shortDescription": ["text": "Finds prefixes."],
                    "defaultConfiguration": ["level": "note"],
                ],
                [
                    "id": "unreadable-file", "shortDescription": ["text": "Unreadable file"],
                    "defaultConfiguration": ["level": "error"],
                ],
            ]
        )
        #expect(try run()["results"]?.arrayValue?.map { $0["ruleIndex"] } == [1, 0, 0])
    }

    @Test func `a result has its position in UTF-16 code units, and its fix`() throws {
        let artifact: JSONValue = ["uri": "push/campaigns/%C3%A4%20b.yaml"]
        #expect(
            try run(prefix: "push/")["results"]?.arrayValue?[1] == [
                "ruleId": "topic-prefix", "ruleIndex": 0, "level": "note",
                // No link, and no terminal control characters.
                "message": ["text": "[a] (b)\\u{1B}\nhelp: one\nhelp: two"],
                "locations": [
                    [
                        "physicalLocation": [
                            "artifactLocation": artifact,
                            "region": [
                                "startLine": 1, "startColumn": 10, "endLine": 2, "endColumn": 3,
                                "byteOffset": 12, "byteLength": 7,
                            ],
                        ],
                        "message": ["text": "{here}"],
                    ]
                ],
                "relatedLocations": [
                    [
                        "physicalLocation": [
                            "artifactLocation": artifact,
                            "region": [
                                "startLine": 1, "startColumn": 4, "endLine": 1, "endColumn": 9,
                                "byteOffset": 3, "byteLength": 8,
                            ],
                        ],
                        "message": ["text": "there"],
                    ]
                ],
                "fixes": [
                    [
                        "description": ["text": "one"],
                        "artifactChanges": [
                            [
                                "artifactLocation": artifact,
                                "replacements": [
                                    [
                                        "deletedRegion": [
                                            "startLine": 1, "startColumn": 10, "endLine": 1,
                                            "endColumn": 11, "byteOffset": 12, "byteLength": 1,
                                        ],
                                        "insertedContent": ["text": "%"],
                                    ]
                                ],
                            ]
                        ],
                    ]
                ],
            ]
        )
    }

    @Test func `a finding without a position is at the project's file`() throws {
        #expect(
            try run(prefix: "push/")["results"]?.arrayValue?[0]["locations"] == [
                [
                    "physicalLocation": [
                        "artifactLocation": ["uri": "push/herald.yaml"],
                        "region": ["startLine": 1],
                    ]
                ]
            ]
        )
    }
}

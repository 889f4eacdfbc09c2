import Diagnostics
import TestSupport
import Testing
import Text

/// `tides` has a reach of 40,000, which takes 4 seconds; `azores` has a reach of 9,000.
struct FanOutsOverlapTests {
    private static func send(_ name: String, _ audience: String, _ schedule: String) -> String {
        TogetherFiles.campaign(
            name,
            audience,
            "data: { a: b }",
            "schedule: \(schedule)",
            "delivery: { ttl: 4h }"
        )
    }

    private static func files(
        _ audience: String = "{ topic: tides }",
        second: String,
        project: String = TogetherFiles.project
    ) -> LoadedFiles {
        TogetherFiles.files(
            [
                send("first", audience, "{ at: \"2037-01-05 07:33\" }"),
                send("second", "{ topic: azores }", second),
            ],
            project: project
        )
    }

    @Test func `a send during another's fan-out is a warning`() throws {
        let files = TogetherFiles.files([
            Self.send("first", "{ topic: tides }", "‹{ at: \"2037-01-05 07:33\" }›"),
            Self.send("second", "{ topic: azores }", "«{ at: \"2037-01-05 07:33:03\" }»"),
        ])
        #expect(files.findings == files.expected(.fanOutsOverlap))
        #expect(files.secondPlaces == files.expectedSecondPlaces)
        let diagnostic = try #require(files.diagnostics.first)
        #expect(diagnostic.severity == .warning)
        #expect(
            diagnostic.message
                == "the fan-out of `second` would begin during the fan-out of `first`"
        )
        #expect(
            diagnostic.label
                == "due 2037-01-05T07:33:03Z; the running fan-out ends at 2037-01-05T07:33:04Z"
        )
        #expect(diagnostic.help == ["send it at least 1s later"])
    }

    @Test func `a send after the fan-out is accepted`() {
        #expect(Self.files(second: "{ at: \"2037-01-05 07:33:04\" }").findings == [])
    }

    /// The 9,000 of the smaller topic take one second, the 49,000 of both five.
    @Test(arguments: [
        ("&&", "00", true), ("&&", "01", false), ("||", "04", true), ("||", "05", false),
    ])
    func `a condition reaches at most the smaller topic, or the sum`(
        sign: String,
        second: String,
        isFound: Bool
    ) {
        let files = Self.files(
            "{ condition: \"'tides' in topics \(sign) 'azores' in topics\" }",
            second: "{ at: \"2037-01-05 07:33:\(second)\" }"
        )
        #expect(files.findings.map(\.rule) == (isFound ? [.fanOutsOverlap] : []))
    }

    @Test(arguments: [
        "{ topic: madeira }", "{ registrations: [x:1] }",
        "{ condition: \"'tides' in topics || 'madeira' in topics\" }",
    ])
    func `unknown reach and lists delay nothing`(audience: String) {
        #expect(Self.files(audience, second: "{ at: \"2037-01-05 07:33\" }").findings == [])
    }

    @Test func `campaigns without a due time are sent one after the other`() {
        let files = TogetherFiles.files([
            TogetherFiles.campaign("a"), TogetherFiles.campaign("b", "{ topic: azores }"),
        ])
        #expect(files.findings == [])
    }

    /// The third begins while the second, which waited for the first, is still running.
    @Test func `a waiting fan-out delays the next one`() {
        let files = TogetherFiles.files([
            Self.send("a", "{ topic: tides }", "{ at: \"2037-01-05 07:33\" }"),
            Self.send("b", "{ topic: tides }", "{ at: \"2037-01-05 07:33\" }"),
            Self.send("c", "{ topic: azores }", "{ at: \"2037-01-05 07:33:07\" }"),
        ])
        #expect(files.findings.map(\.rule) == [.fanOutsOverlap, .fanOutsOverlap])
    }

    @Test(arguments: [
        ("{ emulator: {}, pace: { fan_outs: 4 } }", true),
        ("{ fcm: { project_id: harbour-1 }, pace: { fan_outs: 1 } }", true),
        ("{ fcm: { project_id: harbour-1 }, pace: { fan_outs: 4 } }", false),
    ])
    func `an environment may allow concurrent fan-outs`(environment: String, isFound: Bool) {
        let files = Self.files(
            second: "{ at: \"2037-01-05 07:33\" }",
            project: TogetherFiles.project + "\nenvironments: { e: \(environment) }"
        )
        #expect(files.findings(of: .fanOutsOverlap).isEmpty == !isFound)
        #expect(files.errors == [])
    }
}

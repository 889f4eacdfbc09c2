import CampaignModel
import Diagnostics
import Testing
import Text

struct RemovalTests {
    @Test func `a removal specifies what happens to the members`() throws {
        let files = LoadedFiles(
            campaign: """
                removed: { audience: anglers, members: unsubscribe }
                ---
                removed: { audience: divers, members: forget }
                ---
                audience: pilots
                registrations: [pilot:1]
                ---
                removed: { audience: pilots, members: forget }
                """
        )
        #expect(files.findings == [])
        #expect(files.laterKeys == [])
        #expect(
            files.project?.removals == [
                AudienceRemoval(
                    audience: try #require(AudienceID("anglers")),
                    members: .unsubscribe
                ),
                AudienceRemoval(audience: try #require(AudienceID("divers")), members: .forget),
                AudienceRemoval(audience: try #require(AudienceID("pilots")), members: .forget),
            ]
        )
    }

    @Test func `a removal and an audience acknowledge a change`() throws {
        let files = LoadedFiles(
            campaign: """
                removed: { audience: anglers, members: unsubscribe }
                acknowledge: { change: 20, reason: The beta has ended. }
                ---
                audience: pilots
                registrations: [pilot:1]
                acknowledge: { change: 7, reason: The list was cleaned. }
                """
        )
        #expect(files.findings == [])
        #expect(
            files.project?.removals.map(\.acknowledgement) == [
                ChangeAcknowledgement(change: 20, reason: "The beta has ended.")
            ]
        )
        #expect(
            files.project?.audiences.map(\.acknowledgement) == [
                ChangeAcknowledgement(change: 7, reason: "The list was cleaned.")
            ]
        )
    }

    @Test func `an acknowledgement without a leave is reported`() {
        let files = LoadedFiles(
            campaign: """
                removed: { audience: anglers, members: ‹forget› }
                acknowledge: «{ change: 20, reason: The beta has ended. }»
                """
        )
        #expect(files.findings == files.expected(.conflictingKeys))
        #expect(files.secondPlaces == files.expectedSecondPlaces)
    }

    @Test(
        arguments: [
            "removed: { audience: anglers, members: unsubscribe }",
            "audience: anglers\nregistrations: [angler:1]",
        ],
        ["{ «change»: 20 }", "{ «reason»: The beta has ended. }"]
    )
    func `an acknowledged change requires its number and its reason`(
        document: String,
        change: String
    ) {
        let files = LoadedFiles(campaign: "\(document)\nacknowledge: \(change)\n")
        #expect(files.findings == files.expected(.missingKey))
    }

    @Test(arguments: ["[tides]", "[]"])
    func `an audience that still has subscribe cannot be removed`(topics: String) {
        let files = LoadedFiles(
            campaign: """
                audience: anglers
                registrations: [angler:1]
                subscribe: ‹\(topics)›
                ---
                removed: { audience: «anglers», members: forget }
                """
        )
        #expect(files.findings == files.expected(.conflictingKeys))
        #expect(files.secondPlaces == files.expectedSecondPlaces)
        #expect(files.project?.removals == [])
    }

    @Test func `an audience is removed only once`() {
        let files = LoadedFiles(
            campaign: """
                removed: { audience: ‹anglers›, members: forget }
                ---
                removed: { audience: «anglers», members: unsubscribe }
                """
        )
        #expect(files.findings == files.expected(.duplicateName))
        #expect(files.secondPlaces == files.expectedSecondPlaces)
        #expect(files.project?.removals.map(\.members) == [.forget])
    }

    @Test(
        arguments: [
            ("emulator: {}", nil, Int64(0)), ("emulator: {}", "10s", 10),
            ("emulator: {}", "1h", 3_600),
            ("emulator: { url: http://127.0.0.1:9099 }", nil, 0),
            ("fcm: { project_id: harbour-b5ae1 }", nil, 60),
            ("fcm: { project_id: harbour-b5ae1 }", "0", 0),
        ] as [(String, String?, Int64)]
    )
    func `the settle delay has a default for each environment`(
        endpoint: String,
        settle: String?,
        expected: Int64
    ) throws {
        let key = settle.map { ", settle: \($0)" } ?? ""
        let files = LoadedFiles(
            project: "version: 1\nproject: h\nenvironments: { e: { \(endpoint)\(key) } }\n"
        )
        #expect(files.findings == [])
        let id = try #require(EnvironmentID("e"))
        #expect(files.project?.environment(id)?.settle == expected)
    }
}

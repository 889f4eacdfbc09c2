import CampaignModel
import JSON
import Planning
import Presentation
import RegistrationLists
import RunControl
import Sending
import State
import StoreConformance
import Testing
import Time

struct SweepTextViewTests {
    private let text = SweepTextView(style: .plain)

    private static func view(
        _ report: SweepReport,
        isFile: Bool = true,
        released: [OccurrenceID] = []
    ) throws -> SweepView {
        SweepView(
            list: "anglers",
            isFile: isFile,
            environment: try #require(EnvironmentID("production")),
            report: report,
            released: released
        )
    }

    private static let problems = SweepReport(
        count: 1_250,
        skipped: 4,
        tally: SweepReport.Tally([
            .valid: 1_230, .unregistered: 2, .invalid: 1, .mismatched: 3, .refused: 5,
        ]),
        recorded: 3,
        end: .complete
    )

    @Test func `a list without problems is one line`() throws {
        let report = SweepReport(
            count: 0,
            skipped: 0,
            tally: SweepReport.Tally(),
            recorded: 0,
            end: .complete
        )
        #expect(
            text.render(try Self.view(report)) == "Checked 0 registrations: 0 valid.\n"
        )
    }

    @Test func `shows every kind of answer and what was recorded`() throws {
        let released = [try StoreFixtures.occurrence("sale")]
        let shown = text.render(try Self.view(Self.problems, released: released))
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(
            shown == """
                Checked 1,241 registrations: 1,230 valid, 2 unregistered, 1 invalid, 3 of another \
                Firebase project, 5 refused. 4 were dead before and not checked. 5 without a \
                conclusive answer: run the command again. Recorded 3 dead registrations: Herald \
                sends nothing to them. `herald registrations prune anglers -e production` removes \
                them from the list. Registrations of another Firebase project are not recorded as \
                dead. Released sale/once/1: `herald apply -e production` resumes it.
                """
        )
    }

    @Test func `a list that is not a file cannot be pruned`() throws {
        #expect(!text.render(try Self.view(Self.problems, isFile: false)).contains("prune"))
    }

    @Test func `states the destination and the cost first`() throws {
        let environment = CampaignModel.Environment(
            id: try #require(EnvironmentID("production")),
            endpoint: .embeddedEmulator
        )
        let project = Project(
            id: try #require(ProjectID("shop")),
            timeZone: "UTC",
            topics: [:],
            environments: [environment],
            campaigns: [],
            audiences: [],
            devices: [],
            removals: []
        )
        let list = SweptList(
            .file(path: "list.txt"),
            fingerprints: (0..<92_000).map { Fingerprint(high: $0, low: 0) },
            dead: .none
        )
        let shown = text.renderCost(
            of: list,
            named: "anglers",
            traffic: PlannedTraffic(
                pace: Pace.standard.sending(.tenPercent),
                now: Instant(secondsSince1970: 0)
            ),
            share: .tenPercent,
            in: PlanDestination(environment, of: project)
        )
        let lines = shown.split(separator: "\n")
        #expect(lines.first?.hasPrefix("Destination: production, project ID") == true)
        // 92,000 requests at 99% of 1,000 per second.
        #expect(
            lines.dropFirst().joined(separator: " ") == """
                Check 92,000 registrations of anglers with validate_only, within 10% of the quota. \
                Sends nothing. 92,000 requests, about 93 s at up to 60,000 per minute.
                """
        )
    }

    @Test(arguments: [
        (
            Hold.mostlyDead,
            "1,000 of the first 1,000 registrations are unregistered, invalid or of another "
                + "Firebase project"
        ),
        (
            .refusedPayload,
            "FCM answered INVALID_ARGUMENT to 1,000 requests in a row, for another reason than "
                + "the registration"
        ),
    ])
    func `a list that looks wrong is an error`(hold: Hold, message: String) {
        let evidence = WrongListDetector.WrongListEvidence(
            hold: hold,
            dead: 990,
            mismatched: 10,
            answers: 1_000
        )
        #expect(ErrorText.suspiciousSweep(evidence).message == message)
    }

    @Test func `the JSON has every count`() throws {
        let released = [try StoreFixtures.occurrence("sale")]
        let json = SweepJSONView().render(try Self.view(Self.problems, released: released))
        #expect(
            JSONValue(parsing: Array(json.utf8)) == [
                "format_version": "1.0", "environment": "production", "list": "anglers",
                "end": "complete", "registrations": 1_250, "dead_before": 4, "unanswered": 5,
                "valid": 1_230, "unregistered": 2, "invalid": 1, "mismatched": 3, "refused": 5,
                "recorded": 3, "released": ["sale/once/1"],
            ]
        )
    }

    @Test(arguments: [
        (SweepReport.End.failed(.interrupted), "interrupted"),
        (.failed(.refused(reason: "")), "refused"),
        (.failed(.unanswered(reason: "")), "unanswered"),
        (.failed(.list(.changed(path: nil))), "changed"),
        (
            .suspicious(
                WrongListDetector.WrongListEvidence(
                    hold: .mostlyDead,
                    dead: 20,
                    mismatched: 0,
                    answers: 20
                )
            ), "suspicious"
        ),
    ])
    func `the JSON names how the check ended`(end: SweepReport.End, name: String) throws {
        let report = SweepReport(
            count: 1,
            skipped: 0,
            tally: SweepReport.Tally(),
            recorded: 0,
            end: end
        )
        let json = JSONValue(
            parsing: Array(SweepJSONView().render(try Self.view(report)).utf8)
        )
        #expect(json?["end"] == .string(name))
    }
}

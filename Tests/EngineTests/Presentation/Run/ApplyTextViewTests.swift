import CampaignModel
import Memberships
import Planning
import Presentation
import State
import StoreConformance
import Testing
import Time

@testable import Applying
@testable import RegistrationLists
@testable import RunControl
@testable import Sending

struct ApplyTextViewTests {
    private let view = ApplyTextView(style: TextStyle(useColor: false))

    private func problems(_ count: Int, _ reason: String) -> [SendProblem] {
        (0..<count).map {
            SendProblem(fingerprint: Fingerprint(high: UInt64($0), low: 0), reason: reason)
        }
    }

    private func send(
        _ counts: [Outcome: Int],
        rejected: [SendProblem] = [],
        unknown: [SendProblem] = []
    ) throws -> SendReport {
        SendReport(
            occurrence: try StoreFixtures.occurrence("sale"),
            target: .registrations(ListID(text: "aa")),
            tally: StoreFixtures.tally(counts),
            rejected: rejected,
            unknown: unknown
        )
    }

    @Test func `names rejected requests, then counts everything`() throws {
        var report = ApplyReport()
        report.memberships.joined = 1_200
        report.memberships.left = 3
        report.memberships.refused = problems(1, "NOT_FOUND")
        report.memberships.refusedLeaves = problems(1, "PERMISSION_DENIED")
        report.sends = [
            try send(
                [.accepted: 5, .rejected: 1, .unknown: 1],
                rejected: problems(1, "UNREGISTERED"),
                unknown: problems(1, "503\u{1B}[2J")
            )
        ]
        report.expired = [try StoreFixtures.occurrence("late")]
        report.skipped = [try StoreFixtures.occurrence("daily")]
        report.paused = [
            PausedSend(occurrence: try StoreFixtures.occurrence("paused"), scope: .everything)
        ]
        report.stopped = [try StoreFixtures.occurrence("halted")]
        report.memberships.external = 12
        report.waiting = [
            WaitingSend(
                occurrence: try StoreFixtures.occurrence("held"),
                topic: try #require(Topic("news")),
                openLeaves: 1
            )
        ]
        #expect(
            view.render(report) == """
                  rejected  sale/once/1  0000000000000000  UNREGISTERED
                  unknown   sale/once/1  0000000000000000  503\\u{1B}[2J
                  refused   membership  0000000000000000  NOT_FOUND
                  still in  membership  0000000000000000  PERMISSION_DENIED
                  expired   late/once/1
                  skipped   daily/once/1
                  waits     held/once/1  for 1 registration to leave topic news
                  stopped   halted/once/1  until its unknown outcome is resolved: herald \
                resolve halted/once/1 sent|resend|drop
                  paused    paused/once/1  until `herald resume`
                Stopped: 3 left, 1,200 joined, 12 already subscribed, 1 refused, 1 could not leave, \
                5 accepted, 1 rejected, 1 unknown, 2 too late, 1 paused.

                """
        )
    }

    @Test func `a deferred send is named and does not stop the apply`() throws {
        var report = ApplyReport()
        report.deferred = [
            DeferredSend(
                occurrence: try StoreFixtures.occurrence("sale"),
                until: try #require(Instant(rfc3339: "2027-01-16T07:04:26Z"))
            )
        ]
        #expect(
            view.render(report) == """
                  deferred  sale/once/1  until 2027-01-16T07:04:26Z, by quiet hours
                Applied: 1 deferred.

                """
        )
    }

    @Test func `names lists that were refused when they were read`() throws {
        func refused(_ campaign: String, _ reason: RefusedSend.Reason) throws -> RefusedSend {
            RefusedSend(
                occurrence: try StoreFixtures.occurrence(campaign),
                list: "lists/\(campaign).csv",
                reason: reason
            )
        }
        let subject = GuardSubject.campaign(try #require(CampaignID("many")))
        let refusal = GuardRefusal.tooManyRecipients(1_200, maximum: 1_000, acknowledged: nil)
        var report = ApplyReport()
        report.sends = [try send([.accepted: 2])]
        report.guardsAtSend = [
            GuardOutcome(
                .maxRecipients,
                subject: subject,
                verdict: .acknowledged(refusal, reason: "wanted")
            )
        ]
        report.refusedSends = [
            try refused("gone", .unreadable(.list(.empty(path: "lists/gone.csv")))),
            try refused("columns", .missingColumn("name")),
            try refused(
                "values",
                .missingValues(.init(column: "name", count: 2, line: 7, path: nil))
            ),
            try refused(
                "texts",
                .uncoveredLocale(
                    .init(locale: "de", count: 1, line: 3, path: "lists/part.csv"),
                    count: 4
                )
            ),
            try refused(
                "long",
                .tooLarge(.init(platform: .android, bytes: 4_321, line: 9, path: nil))
            ),
            try refused(
                "many",
                .guards([
                    GuardOutcome(.maxRecipients, subject: subject, verdict: .refused(refusal))
                ])
            ),
        ]
        #expect(
            view.render(report) == """
                  acknowledged max-recipients: many: reaches up to 1,200 devices; max_recipients is \
                1,000 (wanted)
                  refused   gone/once/1  the list lists/gone.csv contains no registrations
                  refused   columns/once/1  lists/columns.csv has no column `name`
                            fix: add the column to the list, or write the text itself
                  refused   values/once/1  2 rows have no `name`, the first at lists/values.csv:7
                            fix: fill the column, or add `columns: { name: { default: TEXT } }` to \
                the audience
                  refused   texts/once/1  no text covers the locale `de`, the first at \
                lists/part.csv:3 (4 rows in all)
                            fix: add a key to `locales`, or `"*": {}` for the campaign's own text
                  refused   long/once/1  the message has 4,321 bytes for Android in the row at \
                lists/long.csv:9, which is too large
                            fix: shorten the text or the values of the list
                  refused   many/once/1  max-recipients: reaches up to 1,200 devices; \
                max_recipients is 1,000
                            fix: add `acknowledge: { reach: 1200, reason: … }` to the campaign \
                (override: --dangerous-max-recipients)
                Stopped: 2 accepted, 6 sends refused.

                """
        )
    }

    @Test func `reports how many requests it does not name`() throws {
        var report = ApplyReport()
        report.sends = [
            try send(
                [.rejected: 5_000, .unknown: 1_234],
                rejected: problems(1_000, "UNREGISTERED"),
                unknown: problems(1_000, "503")
            )
        ]
        let lines = view.render(report).split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("  rejected  ") } == 20)
        #expect(lines.count { $0.hasPrefix("  unknown   ") } == 1_000)
        #expect(lines[20] == "            … and 4,980 more")
        #expect(lines[1_021] == "            … and 234 more")
        #expect(lines.last == "Applied: 5,000 rejected, 1,234 unknown.")
    }

    @Test func `a stopped apply reports unsent requests`() throws {
        var report = ApplyReport()
        report.sends = [try send([.accepted: 1, .intended: 2, .returned: 3])]
        report.error = .interrupted
        #expect(view.render(report) == "Stopped: 1 accepted, 5 not sent.\n")
    }

    @Test func `names the command that lifts each pause`() throws {
        let sale = try #require(CampaignID("sale"))
        var report = ApplyReport()
        report.paused = [
            PausedSend(occurrence: try StoreFixtures.occurrence("sale"), scope: .campaign(sale)),
            PausedSend(occurrence: try StoreFixtures.occurrence("tide"), scope: nil),
        ]
        report.pausedMemberships = [try StoreFixtures.scope("all", "news")]
        let hint = CommandHint(for: try #require(EnvironmentID("dev")))
        let view = ApplyTextView(style: TextStyle(useColor: false), hint: hint)
        #expect(
            view.render(report) == """
                  paused    sale/once/1  until `herald resume sale -e dev`
                  paused    tide/once/1  the pause was lifted; the next apply sends it
                  paused    membership of all in topic news  until `herald resume -e dev`
                Stopped: 3 paused.

                """
        )
    }

    @Test func `counts what is handed over to a service`() throws {
        var report = ApplyReport()
        report.handedOver = [try StoreFixtures.occurrence("sale")]
        #expect(view.render(report) == "Applied: 1 handed over to the service.\n")
    }

    @Test func `reports what a service did with the sends`() throws {
        var followed = ApplyReport()
        followed.sends = [try send([.accepted: 3])]
        followed.cancelled = [try StoreFixtures.occurrence("gone")]
        followed.heldByService = [
            CheckedSend(try StoreFixtures.occurrence("held"), hold: .refusedPayload)
        ]
        followed.handedOver = [try StoreFixtures.occurrence("open")]
        var report = ApplyReport()
        report.handedOver = try ["sale", "gone", "held", "open"].map {
            try StoreFixtures.occurrence($0)
        }
        report.take(followed)
        #expect(
            view.render(report) == """
                  cancelled gone/once/1  by another command; `herald history` shows it
                  held      held/once/1  FCM rejected the message for many registrations in a row; `herald status` shows what to do
                Stopped: 3 accepted, 1 removed by another command, 1 handed over to the service.

                """
        )
    }

    @Test func `reports that an apply only recorded changes`() {
        #expect(view.render(ApplyReport()) == "Applied: recorded.\n")
    }

    @Test func `a topic's problem has no registration`() throws {
        var report = ApplyReport()
        report.sends = [
            try send(
                [.unknown: 1],
                unknown: [SendProblem(fingerprint: nil, reason: "timed out")]
            )
        ]
        #expect(view.render(report).hasPrefix("  unknown   sale/once/1  timed out\n"))
    }

    @Test func `lists open work of earlier runs`() throws {
        #expect(view.renderCutOff([]) == "")
        let send = try send([.unknown: 2], unknown: problems(2, "cut off"))
        #expect(
            view.renderCutOff([send]) == """
                An earlier run was interrupted and left 2 requests with an unknown outcome. \
                Herald does not repeat them.
                  unknown   sale/once/1  0000000000000000  cut off
                  unknown   sale/once/1  0000000000000001  cut off

                """
        )
    }

    @Test func `an earlier run whose answers were all read left nothing unknown`() throws {
        let send = try send([.accepted: 2])
        #expect(
            view.renderCutOff([send]) == """
                An earlier run was interrupted. The outcomes of all its requests are known.

                """
        )
    }

    @Test func `shows no registration of a real apply`() async throws {
        let scene = try PlanScene()
        let plan = try await scene.plan(
            [scene.campaign(to: .registrations(scene.inline(0, 1)))],
            audiences: [scene.audience(scene.inline(0, 1))]
        )
        let transport = ScriptedTransport { call in
            call.batch == nil
                ? .refusal(404, "NOT_FOUND", "UNREGISTERED") : .verdicts(["NOT_FOUND", nil])
        }
        let text = view.render(await scene.apply(plan, to: transport))
        #expect(
            text == """
                  rejected  sale/once/1  7e4a618160027081  UNREGISTERED
                  rejected  sale/once/1  593d0ee16d26b7f0  UNREGISTERED
                  refused   membership  7e4a618160027081  NOT_FOUND
                            Herald does not repeat these joins. To try them again, use `herald \
                registrations retry all`.
                Applied: 1 joined, 1 refused, 2 rejected.

                """
        )
    }
}

import CampaignModel
import JSON
import Presentation
import State
import Testing
import Time

@testable import Planning

struct ReviewWordingTests {
    private let text = ReviewWording(hint: CommandHint.local)
    private let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func words(
        _ reviewed: Plan,
        _ now: Plan,
        runs: [RunRecord] = [],
        isKnown: Bool = true
    ) -> ErrorText {
        text.stale(
            StalePlan(
                digest: reviewed.digest,
                now: now.digest,
                differences: isKnown ? reviewed.reviewed.differences(to: now.reviewed) : nil,
                runs: runs
            )
        )
    }

    private var run: RunRecord {
        RunRecord(
            id: RunID(number: 7),
            worker: Worker(
                command: "herald apply",
                user: "ada\u{1B}[2J",
                host: "desk",
                processID: 1,
                since: PlanScene.now
            ),
            status: .complete,
            ended: nil,
            tally: OutcomeTally(),
            cause: nil
        )
    }

    @Test func `names each campaign that differs, with its values before and after`() async throws {
        let (kept, gone) = (try scene.campaign("kept"), try scene.campaign("gone"))
        let reviewed = try await scene.plan([kept, gone])
        let now = try await scene.plan([
            try scene.campaign("kept", title: "\u{1B}[2J"), try scene.campaign("new"),
        ])
        let shown = words(reviewed, now, runs: [run])
        #expect(
            shown.message == """
                nothing was done: the current plan differs from the reviewed plan
                  - campaign gone: was reviewed; it has no changes now
                  ~ campaign kept: message.notification.title: "Hello" → "\\u001b[2J"
                  + campaign new: was not reviewed; it is sent or scheduled
                  ! another plan was applied since then: run 7, 2027-01-15T08:00:00Z, by \
                ada\\u{1B}[2J on desk
                """
        )
        #expect(shown.help?.hasPrefix("run `herald plan`, have the new plan reviewed") == true)
    }

    /// The IDs are the first digits of the SHA-256 of the lists, computed with Python's `hashlib`.
    @Test func `names each list and membership that differs`() async throws {
        func plan(_ list: RegistrationList, rejoins: Bool = false) async throws -> Plan {
            try await scene.plan(
                [try scene.campaign(to: .registrations(list))],
                audiences: [try scene.audience(list, rejoins: rejoins)]
            )
        }
        let reviewed = try await plan(scene.inline(0, 1))
        let grown = words(reviewed, try await plan(scene.inline(0, 1, 2)))
        let lists = "2 registrations, content b79f3861ad47 → 3 registrations, content 47a3004f488c"
        #expect(
            grown.message == """
                nothing was done: the current plan differs from the reviewed plan
                  ~ list of campaign sale: \(lists)
                  ~ list of audience all: \(lists)
                  ~ audience all, topic news: 2 join → 3 join
                """
        )
        let others = words(reviewed, try await plan(scene.inline(0, 2)))
        #expect(
            others.message.hasSuffix("audience all, topic news: 2 join, different registrations")
        )
        let again = words(reviewed, try await plan(scene.inline(0, 1), rejoins: true))
        #expect(
            again.message.hasSuffix(
                "topic news: 2 join → 2 join (including opted-out registrations)"
            )
        )
    }

    @Test func `names a changed reach`() async throws {
        let topic = try scene.topic()
        func plan(_ reach: Int) async throws -> Plan {
            try await scene.plan(
                [scene.campaign()],
                topics: [topic: TopicDescription(about: nil, reach: reach)]
            )
        }
        let shown = words(try await plan(9_000), try await plan(60_000))
        #expect(shown.message.hasSuffix("\n  ~ campaign sale: reach.news: 9000 → 60000"))
    }

    @Test func `names an interrupted send whose list was edited`() async throws {
        func sale(_ numbers: Int...) throws -> Campaign {
            try scene.campaign(to: .registrations(.inline(try numbers.map(scene.registration))))
        }
        let first = try await scene.plan([sale(0, 1, 2)])
        let unit = try await scene.begin(sale(0, 1, 2))
        try await scene.record([.accepted], of: unit)
        let none = try await scene.plan([sale(0, 1, 2)])
        let edited = try await scene.plan([sale(0, 1, 3)])
        let send =
            "sale/once/1 continues with an edited list (2 requests to the stored list, 1 of them "
            + "to removed registrations; 1 new registration)"
        #expect(
            words(none, edited).message.hasSuffix("\n  + campaign sale: was not reviewed; \(send)")
        )
        #expect(
            words(first, edited).message.hasSuffix(
                "plan\n  ~ campaign sale: no interrupted send with an edited list → \(send)"
            )
        )
        #expect(
            words(edited, first).message.hasSuffix(
                "  ~ campaign sale: \(send) → no interrupted send with an edited list\n"
                    + "  + campaign sale: was not reviewed; it is sent or scheduled"
            )
        )
        #expect(
            words(edited, none).message.hasSuffix(
                "  - campaign sale: was reviewed; it has no changes now"
            )
        )
    }

    @Test func `shows only the target if it differs`() async throws {
        let reviewed = try await scene.plan(
            [scene.campaign()],
            environment: "live",
            projectID: "tidewatch-b5ae1"
        )
        let shown = words(reviewed, try await scene.plan())
        #expect(
            shown.message == """
                nothing was done: the reviewed plan is for another project, environment or \
                state
                  ~ environment: live, here dev
                  ~ Firebase project: tidewatch-b5ae1, here emulator
                """
        )
    }

    @Test func `names each guard with another outcome`() async throws {
        let refused: JSONValue = ["guard": "max-change", "audience": "all", "outcome": "refused"]
        let kept: JSONValue = ["guard": "quiet", "outcome": "acknowledged"]
        func outcome(_ text: JSONValue) -> JSONValue {
            ["guard": "max-recipients", "campaign": "sale", "outcome": text]
        }
        let digest = try await scene.plan().digest
        let shown = text.stale(
            StalePlan(
                digest: digest,
                now: digest,
                differences: [
                    .guards(
                        before: [outcome("acknowledged"), kept],
                        after: [kept, outcome("refused"), refused]
                    )
                ],
                runs: []
            )
        )
        #expect(
            shown.message == """
                nothing was done: the current plan differs from the reviewed plan
                  - guard max-recipients of campaign sale: acknowledged when it was reviewed
                  + guard max-recipients of campaign sale: refused now
                  + guard max-change of audience all: refused now
                """
        )
    }

    @Test func `reports that the reviewed content is unknown`() async throws {
        let (reviewed, now) = (try await scene.plan([scene.campaign()]), try await scene.plan())
        let shown = words(reviewed, now, isKnown: false)
        #expect(
            shown.message == "nothing was done: the current plan is \(now.digest), and the "
                + "reviewed plan \(reviewed.digest) is not recorded here"
        )
    }

    @Test func `names the run that applied the plan, and reports whether work remains`() {
        let done =
            "Already applied: run 7, 2027-01-15T08:00:00Z, by ada\\u{1B}[2J on desk. Nothing "
            + "is repeated."
        #expect(text.alreadyApplied(run, hasMore: false) == done + "\n")
        let more = " There are new changes; see `herald plan`.\n"
        #expect(text.alreadyApplied(run, hasMore: true) == done + more)
    }

    @Test func `repeats the selection for a new plan`() async throws {
        let dev = try #require(EnvironmentID("dev"))
        let selected = ReviewWording(
            hint: CommandHint(for: dev, selectors: Selectors(only: ["a b"]))
        )
        let command = "`herald plan -e dev --only 'a b'`"
        let (reviewed, now) = (try await scene.plan([scene.campaign()]), try await scene.plan())
        let stale = StalePlan(
            digest: reviewed.digest,
            now: now.digest,
            differences: reviewed.reviewed.differences(to: now.reviewed),
            runs: []
        )
        #expect(selected.stale(stale).help?.hasPrefix("run \(command), have the new") == true)
        #expect(selected.alreadyApplied(run, hasMore: true).contains(command))
    }

    @Test func `reports that a state was restored`() throws {
        let digest = try #require(PlanDigest(String(repeating: "a", count: 40) + "@9"))
        let shown = text.rolledBack(digest, state: StateSerial(number: 4))
        #expect(
            shown.message == "the plan was made from serial 9 of the state, but the state has "
                + "serial 4: it is an older copy or a different state"
        )
    }
}

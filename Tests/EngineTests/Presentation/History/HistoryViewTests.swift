import Applying
import CampaignModel
import JSON
import Presentation
import State
import StoreConformance
import Testing
import Time

struct HistoryViewTests {
    private let view = HistoryTextView(style: TextStyle(useColor: false), now: PlanScene.now)

    private func run(
        _ number: Int64,
        _ status: RunStatus,
        took seconds: Int64? = nil,
        _ counts: [Outcome: Int] = [:],
        cause: String? = nil
    ) -> RunRecord {
        let began = Instant(secondsSince1970: PlanScene.now.secondsSince1970 - 7_200)
        return RunRecord(
            id: RunID(number: number),
            worker: Worker(
                command: "herald apply",
                user: "ada",
                host: "de\u{1B}sk",
                processID: 7,
                since: began
            ),
            status: status,
            ended: seconds.map { began.advanced(bySeconds: $0) },
            tally: StoreFixtures.tally(counts),
            cause: cause
        )
    }

    private func overview() throws -> RunOverview {
        let sending = RunOccurrence(
            occurrence: try StoreFixtures.occurrence("sale"),
            tally: StoreFixtures.tally([.accepted: 5, .rejected: 12, .unknown: 1, .returned: 2]),
            repeated: 1,
            problems: (0..<12).map {
                RunProblem(kind: .rejected, registration: "aa\($0)", reason: "UNREGISTERED")
            } + [
                RunProblem(kind: .unknown, registration: "bb", reason: "timed\u{7} out"),
                RunProblem(kind: .repeated, registration: "cc", reason: "503 UNAVAILABLE"),
            ]
        )
        let topic = RunOccurrence(
            occurrence: try StoreFixtures.occurrence("tide"),
            tally: StoreFixtures.tally([.accepted: 1])
        )
        let unit = WorkUnitRecord(
            id: UnitID(number: 2),
            target: .topic(try #require(Topic("tides"))),
            count: 1,
            released: 1,
            tally: topic.tally
        )
        return RunOverview(
            run: run(12, .stopped, took: 90, [.accepted: 6], cause: "FCM refuses access: 403"),
            isWriting: false,
            sendings: [
                RunOccurrenceOverview(sending: sending, unit: nil, messageID: nil),
                RunOccurrenceOverview(
                    sending: topic,
                    unit: unit,
                    messageID: "projects/p/messages/1"
                ),
            ],
            memberships: [
                RunMembership(
                    scope: try StoreFixtures.scope("folk", "tides"),
                    joined: 1_000,
                    left: 0,
                    refused: 2
                )
            ]
        )
    }

    @Test func `lists runs with their results`() {
        let runs = [
            run(12, .running),
            run(11, .complete, took: 4, [.accepted: 3_000, .unknown: 2]),
            run(
                9,
                .stopped,
                took: 90,
                [.intended: 1, .returned: 2],
                cause: "FCM refuses access\u{7}"
            ),
            run(8, .interrupted, took: 0), run(7, .abandoned),
        ]
        #expect(
            view.render(runs, isWriting: true) == """
                12  running      2027-01-15T06:00:00Z, 2 h ago
                    herald apply, by ada on de\\u{1B}sk
                11  complete     2027-01-15T06:00:00Z, 2 h ago, took 4 s
                    herald apply, by ada on de\\u{1B}sk
                    3,000 accepted, 2 unknown
                 9  stopped      2027-01-15T06:00:00Z, 2 h ago, took 90 s
                    herald apply, by ada on de\\u{1B}sk
                    3 not sent
                    FCM refuses access\\u{7}
                 8  interrupted  2027-01-15T06:00:00Z, 2 h ago, took less than 1 s
                    herald apply, by ada on de\\u{1B}sk
                 7  cut off      2027-01-15T06:00:00Z, 2 h ago
                    herald apply, by ada on de\\u{1B}sk

                """
        )
    }

    @Test func `a running run without a process was interrupted`() {
        #expect(view.render([run(1, .running)], isWriting: false).hasPrefix("1  cut off "))
        #expect(view.render([], isWriting: false) == "No run has written to this state yet.\n")
        let json = HistoryJSONView(nil)
        let none = JSONValue(parsing: json.listHead + json.listEnd(isEmpty: true))
        #expect(none?["runs"] == [])
        #expect(none?["chain"] == .null)
    }

    @Test func `says what a send reached of its objective`() throws {
        func wording(
            accepted: Int,
            after seconds: Int64? = nil,
            _ status: OccurrenceStatus = .finished,
            isToTopic: Bool = false
        ) throws -> String? {
            let unit = WorkUnitRecord(
                id: UnitID(number: 2),
                target: isToTopic
                    ? .topic(try #require(Topic("tides"))) : .registrations(ListID(text: "a")),
                count: isToTopic ? 1 : 5_000,
                released: 0,
                tally: StoreFixtures.tally([.accepted: accepted])
            )
            let record = OccurrenceRecord(
                id: try StoreFixtures.occurrence("tide"),
                status: status,
                due: PlanScene.now,
                message: nil,
                unit: unit,
                objective: Objective("90% in 2m"),
                reachedAfter: seconds
            )
            let sending = RunOccurrenceOverview(
                sending: RunOccurrence(occurrence: record.id, tally: unit.tally),
                unit: nil,
                messageID: nil,
                objective: ObjectiveOverview(record)
            )
            let overview = RunOverview(
                run: run(1, .complete),
                isWriting: false,
                sendings: [sending],
                memberships: []
            )
            let verdict = ChainVerdict(head: ChainHead(count: 1, hash: "a"))
            let json = JSONValue(parsing: RunJSONView(verdict).render(overview))
            let object = json?["run"]?["sendings"]?.arrayValue?.first?["objective"]
            #expect(object?["status"]?.stringValue == sending.objective?.status.rawValue)
            #expect(object?["reached_after_seconds"] == (seconds.map { .integer($0) } ?? .null))
            return view.render(overview).split(separator: "\n").last.map(String.init)
        }
        #expect(
            try wording(accepted: 5_000, after: 108)
                == "  90% accepted after 1 min 48 s; objective 90% in 2 min: reached"
        )
        #expect(
            try wording(accepted: 5_000, after: 121)
                == "  90% accepted after 2 min 1 s; objective 90% in 2 min: not reached"
        )
        #expect(
            try wording(accepted: 4_499)
                == "  4,499 of 5,000 accepted; objective 90% in 2 min: not reached"
        )
        #expect(
            try wording(accepted: 7, .dispatching)
                == "  7 of 5,000 accepted so far; objective 90% in 2 min: not reached yet"
        )
        #expect(
            try wording(accepted: 4_500)
                == "  90% accepted, at a time that is not recorded; objective 90% in 2 min: unknown"
        )
        #expect(
            try wording(accepted: 1, after: 0, isToTopic: true)
                == "  accepted by FCM after less than 1 s; objective 90% in 2 min: unknown, because "
                + "FCM does not report fan-outs"
        )
    }

    @Test func `shows the sends and changes of one run, and its first problems`() throws {
        #expect(
            try view.render(overview()) == """
                Run 12  stopped      2027-01-15T06:00:00Z, 2 h ago, took 90 s
                  herald apply, by ada on de\\u{1B}sk
                  6 accepted
                  FCM refuses access: 403

                folk in tides  1,000 joined, 2 refused
                  retry refused joins with `herald registrations retry folk`

                sale/once/1  5 accepted, 12 rejected, 1 unknown, 2 not sent
                  rejected   aa0  UNREGISTERED
                  rejected   aa1  UNREGISTERED
                  rejected   aa2  UNREGISTERED
                  rejected   aa3  UNREGISTERED
                  rejected   aa4  UNREGISTERED
                  rejected   aa5  UNREGISTERED
                  rejected   aa6  UNREGISTERED
                  rejected   aa7  UNREGISTERED
                  rejected   aa8  UNREGISTERED
                  rejected   aa9  UNREGISTERED
                  … and 2 more rejected
                  unknown    bb  timed\\u{7} out
                  repeated   cc  503 UNAVAILABLE

                tide/once/1  to topic tides: 1 accepted
                  message  projects/p/messages/1

                """
        )
    }

    @Test func `shows the origin of a run, and whether it is unchanged`() {
        var told = StoreFixtures.tellingWorker
        told.bypasses = ["--dangerous-clock", "--dangerous-\u{1B}"]
        let record = RunRecord(
            id: RunID(number: 12),
            worker: told,
            status: .complete,
            ended: nil,
            tally: OutcomeTally(),
            cause: nil
        )
        #expect(
            view.render([record], isWriting: false, verdict: verdict) == """
                12  complete     2027-01-15T08:00:01Z, just now
                    edited after it was written
                    apply, by ada on desk
                    commit 0123456789abcdef0123456789abcdef01234567, with local changes
                    CI GitHub 4711, by ada-l
                    plan 89abcdef0123456789abcdef0123456789abcdef
                    approved by ana@example.com (SHA256:abc)
                    with --dangerous-clock, --dangerous-\\u{1B}

                """
        )
        let runs = JSONValue(
            parsing: HistoryJSONView(verdict).line(record, isWriting: false)
        )
        #expect(runs?["commit"] == "0123456789abcdef0123456789abcdef01234567")
        #expect(runs?["dirty"] == true)
        #expect(runs?["ci_run"] == "GitHub 4711")
        #expect(runs?["ci_actor"] == "ada-l")
        #expect(runs?["digest"] == "89abcdef0123456789abcdef0123456789abcdef")
        #expect(runs?["bypasses"] == ["--dangerous-clock", "--dangerous-\u{1B}"])
        #expect(runs?["chain"] == "differs")
    }

    @Test func `shows edits, and the first edited run`() {
        let chain = ChainTextView(style: TextStyle(useColor: false))
        #expect(
            chain.renderDifferences(verdict) == """
                THE HISTORY WAS EDITED: run 12 is the first edited run
                  run 12: user was `ada`, is `e\\u{1B}ve`; cause was nothing, is `why`
                  run 12, occurrence call/once/1: is missing
                  run 13: was added
                  entry 3 of the chain: this entry or the previous one was edited
                  … and 5 more


                """
        )
        #expect(chain.renderDifferences(ChainVerdict(head: head)) == "")
        #expect(
            chain.renderHead(verdict) == """

                Runs 1 to 6 precede the hash chain, so edits to them cannot be detected.
                Head 7@\(head.hash)

                """
        )
        let seen = ChainHead(count: 9, hash: head.hash)
        #expect(
            chain.render(missing: seen, verdict: verdict).hasPrefix(
                "THE HISTORY WAS EDITED: 7 of 9 entries seen before are left\n\n"
            )
        )
        let other = ChainHead(count: 5, hash: String(repeating: "0", count: 64))
        #expect(
            chain.render(missing: other, verdict: verdict, hint: .local) == """
                THE HISTORY WAS EDITED: entry 5 differs from the one seen before
                  This machine has seen a different history. If the state was replaced on purpose,
                  accept it with `herald history --accept`.


                """
        )
        let json = JSONValue(parsing: HistoryJSONView(verdict).listHead + "]}")?["chain"]
        #expect(json?["intact"] == false)
        #expect(json?["differences"]?.arrayValue?.count == 4)
        #expect(json?["differences_left_out"] == 5)
        #expect(json?["differences"]?.arrayValue?[1]["name"] == "call/once/1")
    }

    private let head = ChainHead(count: 7, hash: String(repeating: "ab", count: 32))

    private var verdict: ChainVerdict {
        let twelve = RunID(number: 12)
        let changed = [
            ChangedValue(name: "user", written: "ada", found: "e\u{1B}ve"),
            ChangedValue(name: "cause", written: nil, found: "why"),
        ]
        return ChainVerdict(
            head: head,
            runsBefore: 6,
            differences: [
                ChainDifference(run: twelve, subject: .run, finding: .changed(changed)),
                ChainDifference(run: twelve, subject: .sending("call/once/1"), finding: .gone),
                ChainDifference(run: RunID(number: 13), subject: .run, finding: .added),
                ChainDifference(run: nil, subject: .entry(3), finding: .broken),
            ],
            differenceCount: 9,
            differingRuns: [twelve, RunID(number: 13)]
        )
    }

    @Test func `prints JSON for programs`() throws {
        let json = HistoryJSONView(verdict)
        let items = [run(7, .abandoned), run(6, .complete, took: 1)].enumerated().map {
            json.listItem($1, isWriting: false, isFirst: $0 == 0)
        }
        let list = json.listHead + items.joined() + json.listEnd(isEmpty: false)
        let runs = JSONValue(parsing: list)?["runs"]?.arrayValue
        #expect(runs?.map { $0["status"]?.stringValue } == ["cut_off", "complete"])
        #expect(runs?[0]["ended"] == .null)
        #expect(runs?[1]["ended"] == "2027-01-15T06:00:01Z")
        let text = RunJSONView(verdict).render(try overview())
        let one = JSONValue(parsing: text)?["run"]
        #expect(one?["cause"] == "FCM refuses access: 403")
        #expect(one?["memberships"]?.arrayValue?[0]["joined"] == 1000)
        let sendings = one?["sendings"]?.arrayValue
        #expect(sendings?[0]["problems"]?.arrayValue?.count == 14)
        #expect(sendings?[0]["repeated"] == 1)
        #expect(sendings?[0]["counts"]?["not_sent"] == 2)
        #expect(sendings?[1]["message"] == "projects/p/messages/1")
        #expect(sendings?[1]["target"] == ["topic": "tides"])
    }
}

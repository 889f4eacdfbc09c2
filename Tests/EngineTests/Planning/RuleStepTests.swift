import CampaignMessages
import CampaignModel
import State
import StoreConformance
import Testing
import Time

@testable import Planning

/// Tests the rule `30 7 * * *` in Berlin over several applies; 07:30 there is 06:30 UTC in winter.
struct RuleStepTests {
    let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func moment(_ utc: String) throws -> Instant { try #require(Instant(rfc3339: utc)) }

    /// Plans, records the plan, and returns a short text per step.
    @discardableResult
    private func apply(_ campaigns: [Campaign], _ utc: String) async throws -> [String] {
        let plan = try await scene.plan(campaigns, at: moment(utc))
        try await scene.remember(plan)
        for send in plan.sends where send.unit == nil {
            let unit = try await scene.store.open(
                OpenedOccurrence(
                    id: send.occurrence,
                    due: send.due,
                    message: send.template.stored,
                    target: .topic(scene.topic()),
                    count: 1
                ),
                in: scene.store.beginRun(StoreFixtures.worker)
            )
            try await scene.record([.accepted], of: unit)
            try await scene.store.close(send.occurrence, as: .finished)
        }
        return plan.campaigns.map { words($0.step) }
    }

    private func words(_ step: CampaignStep) -> String {
        switch step {
        case .send(let send): "send \(send.occurrence.slot.text)/\(send.occurrence.revision)"
        case .schedule(let id, let moment):
            "schedule \(id.slot.text)/\(id.revision) \(moment.instant)"
        case .reschedule(let id, _, let moment): "reschedule \(id.slot.text) \(moment.instant)"
        case .unschedule(let id, _): "unschedule \(id.slot.text)/\(id.revision)"
        case .miss(let missed):
            "miss \(missed.count) \(missed.first) \(missed.last)"
                + (missed.isFailure ? " fails" : "") + (missed.isSuperseded ? " superseded" : "")
        case .redefine(_, let moment): "redefine \(moment.instant)"
        default: "\(step)"
        }
    }

    private func rows() async throws -> Int {
        try await scene.store.appliedState().occurrences.count
    }

    @Test func `the first apply makes only later slots`() async throws {
        let daily = try scene.rule("30 7 * * *")
        let first = try await apply([daily], "2027-01-15T06:30:00Z")
        #expect(first == ["schedule 2027-01-16T07:30/1 2027-01-16T06:30:00Z"])
        #expect(try await apply([daily], "2027-01-15T06:31:00Z") == ["unchanged"])
        #expect(try await apply([daily], "2027-01-16T06:29:59Z") == ["unchanged"])
    }

    @Test func `sends the due slot and records the next`() async throws {
        let daily = try scene.rule("30 7 * * *")
        try await apply([daily], "2027-01-15T08:00:00Z")
        let due = try await apply([daily], "2027-01-16T06:40:00Z")
        #expect(
            due == [
                "send 2027-01-16T07:30/1", "schedule 2027-01-17T07:30/1 2027-01-17T06:30:00Z",
            ]
        )
        #expect(try await apply([daily], "2027-01-16T06:40:00Z") == ["unchanged"])
        #expect(try await rows() == 2)
    }

    /// Berlin's clocks go forward on 2027-03-28 at 02:00 and back on 2027-10-31 at 03:00.
    @Test(
        arguments: [
            ("30 7 * * *", "2027-03-27T12:00:00Z", "2027-03-28T07:30/1 2027-03-28T05:30:00Z"),
            ("30 2 * * *", "2027-03-27T12:00:00Z", "2027-03-28T02:30/1 2027-03-28T01:00:00Z"),
            ("30 2 * * *", "2027-10-30T12:00:00Z", "2027-10-31T02:30/1 2027-10-31T00:30:00Z"),
            ("30 2 * * *", "2027-10-31T00:45:00Z", "2027-11-01T02:30/1 2027-11-01T01:30:00Z"),
        ]
    )
    func `clock changes move the due time but not the slot`(
        cron: String,
        now: String,
        expected: String
    ) async throws {
        #expect(try await apply([scene.rule(cron)], now) == ["schedule \(expected)"])
    }

    @Test(
        arguments: [
            (nil, "2027-01-16T06:40:01Z", ["miss 1 2027-01-16T06:30:00Z 2027-01-16T06:30:00Z"]),
            (
                .fail, "2027-01-16T06:40:01Z",
                ["miss 1 2027-01-16T06:30:00Z 2027-01-16T06:30:00Z fails"]
            ),
            (.send, "2027-01-16T12:00:00Z", ["send 2027-01-16T07:30/1"]),
            (
                .send, "2027-01-18T12:00:00Z",
                [
                    "miss 2 2027-01-16T06:30:00Z 2027-01-17T06:30:00Z superseded",
                    "send 2027-01-18T07:30/1",
                ]
            ),
            (.skip, "2027-01-18T12:00:00Z", ["miss 3 2027-01-16T06:30:00Z 2027-01-18T06:30:00Z"]),
            (
                .skip, "2027-01-18T06:35:00Z",
                [
                    "miss 2 2027-01-16T06:30:00Z 2027-01-17T06:30:00Z superseded",
                    "send 2027-01-18T07:30/1",
                ]
            ),
            (
                .fail, "2027-01-18T06:35:00Z",
                [
                    "miss 2 2027-01-16T06:30:00Z 2027-01-17T06:30:00Z fails superseded",
                    "send 2027-01-18T07:30/1",
                ]
            ),
        ] as [(LatePolicy.Late?, String, [String])]
    )
    func `sends only the latest of several due slots`(
        late: LatePolicy.Late?,
        now: String,
        expected: [String]
    ) async throws {
        let daily = try scene.rule("30 7 * * *", late: late)
        try await apply([daily], "2027-01-15T08:00:00Z")
        let steps = try await apply([daily], now)
        #expect(Array(steps.dropLast()) == expected)
        #expect(steps.last?.hasPrefix("schedule ") == true)
        #expect(try await apply([daily], now) == ["unchanged"])
    }

    @Test func `the author sets the time after which a send is late`() async throws {
        let daily = try scene.rule("30 7 * * *", lateAfter: 3_600)
        try await apply([daily], "2027-01-15T08:00:00Z")
        #expect(try await apply([daily], "2027-01-16T07:30:00Z").first == "send 2027-01-16T07:30/1")
        #expect(
            try await apply([daily], "2027-01-17T07:30:01Z").first
                == "miss 1 2027-01-17T06:30:00Z 2027-01-17T06:30:00Z"
        )
    }

    @Test func `counts missed slots up to a limit without storing rows`() async throws {
        let minutes = try scene.rule("* * * * *", late: .skip)
        try await apply([minutes], "2027-01-01T00:00:00Z")
        let steps = try await apply([minutes], "2027-01-31T00:00:30Z")
        #expect(
            steps == [
                "miss 10080 2027-01-01T00:01:00Z 2027-01-30T23:59:00Z superseded",
                "send 2027-01-31T01:00/1", "schedule 2027-01-31T01:01/1 2027-01-31T00:01:00Z",
            ]
        )
        #expect(try await rows() == 3)
        #expect(try await apply([minutes], "2027-01-31T00:00:30Z") == ["unchanged"])
    }

    // MARK: Jitter

    /// Python computes the jitter of 12:00 as 1,775 s, and that of 12:05 as 489 s.
    @Test func `jitter may send the later of two slots first`() async throws {
        let pair = try scene.rule("0,5 12 * * *", jitter: 2_700)
        #expect(
            try await apply([pair], "2027-01-15T08:00:00Z")
                == ["schedule 2027-01-15T12:05/1 2027-01-15T11:13:09Z"]
        )
        #expect(
            try await apply([pair], "2027-01-15T11:13:09Z") == [
                "send 2027-01-15T12:05/1", "schedule 2027-01-15T12:00/1 2027-01-15T11:29:35Z",
                "schedule 2027-01-16T12:00/1 2027-01-16T11:30:48Z",
            ]
        )
        #expect(try await apply([pair], "2027-01-15T11:29:34Z") == ["unchanged"])
        #expect(try await apply([pair], "2027-01-15T11:29:35Z") == ["send 2027-01-15T12:00/1"])
        #expect(try await apply([pair], "2027-01-15T11:29:35Z") == ["unchanged"])
    }

    @Test(
        arguments: [
            // 12:05 is 16 minutes late, 12:00 is in time.
            (
                600,
                [
                    "miss 1 2027-01-15T11:05:00Z 2027-01-15T11:05:00Z superseded",
                    "send 2027-01-15T12:00/1",
                ]
            ),
            (
                3_600,
                [
                    "miss 1 2027-01-15T11:00:00Z 2027-01-15T11:00:00Z superseded",
                    "send 2027-01-15T12:05/1",
                ]
            ),
        ] as [(Int64, [String])]
    )
    func `of two slots that are due in reverse order, the latest is sent that is not late`(
        lateAfter: Int64,
        expected: [String]
    ) async throws {
        let pair = try scene.rule("0,5 12 * * *", lateAfter: lateAfter, jitter: 2_700)
        try await apply([pair], "2027-01-15T08:00:00Z")
        #expect(
            try await apply([pair], "2027-01-15T11:29:35Z")
                == expected + ["schedule 2027-01-16T12:00/1 2027-01-16T11:30:48Z"]
        )
        #expect(try await apply([pair], "2027-01-15T11:40:00Z") == ["unchanged"])
    }

    // MARK: Changed rules

    @Test func `a changed rule makes only slots later than its first apply`() async throws {
        try await apply([scene.rule("30 7 * * *")], "2027-01-15T08:00:00Z")
        let hourly = try scene.rule("0 * * * *", late: .send)
        #expect(
            try await apply([hourly], "2027-01-15T20:30:00Z") == [
                "unschedule 2027-01-16T07:30/1",
                "schedule 2027-01-15T22:00/1 2027-01-15T21:00:00Z",
            ]
        )
    }

    @Test func `a changed rule keeps slots that the old rule has, too`() async throws {
        try await apply([scene.rule("30 7 * * *")], "2027-01-15T08:00:00Z")
        let workdays = try scene.rule("30 7 * * SAT")
        let saturday = try await apply([workdays], "2027-01-15T20:00:00Z")
        #expect(saturday == ["redefine 2027-01-16T06:30:00Z"])
        #expect(
            try await apply([workdays], "2027-01-16T06:30:00Z").first == "send 2027-01-16T07:30/1"
        )
    }

    @Test func `another message leaves the slots unchanged`() async throws {
        try await apply([scene.rule("30 7 * * *")], "2027-01-15T08:00:00Z")
        let steps = try await apply(
            [scene.rule("30 7 * * *", title: "Bye")],
            "2027-01-15T09:00:00Z"
        )
        #expect(steps == ["redefine 2027-01-16T06:30:00Z"])
    }

    @Test func `a rule becomes a single due time, and vice versa`() async throws {
        try await apply([scene.rule("30 7 * * *")], "2027-01-15T08:00:00Z")
        let once = try scene.campaign("daily", schedule: .at(PlanScene.moment(3_600)))
        #expect(
            try await apply([once], "2027-01-15T08:00:01Z") == [
                "unschedule 2027-01-16T07:30/1", "schedule once/1 2027-01-15T09:00:00Z",
            ]
        )
        #expect(
            try await apply([scene.rule("30 7 * * *")], "2027-01-15T08:00:02Z") == [
                "unschedule once/1", "schedule 2027-01-16T07:30/1 2027-01-16T06:30:00Z",
            ]
        )
    }

    @Test func `the bounds of a rule exclude slots`() async throws {
        let bounded = try scene.rule(
            "30 7 * * *",
            from: "2027-01-20 07:30",
            until: "2027-01-21 07:30",
            late: .send
        )
        let first = try await apply([bounded], "2027-01-15T08:00:00Z")
        #expect(first == ["schedule 2027-01-20T07:30/1 2027-01-20T06:30:00Z"])
        #expect(try await apply([bounded], "2027-01-20T06:30:00Z").count == 2)
        #expect(try await apply([bounded], "2027-01-21T06:35:00Z") == ["send 2027-01-21T07:30/1"])
        #expect(try await apply([bounded], "2027-02-21T06:35:00Z") == ["unchanged"])
    }

    @Test func `nothing is sent after the end of a rule, regardless of late`() async throws {
        let bounded = try scene.rule("30 7 * * *", until: "2027-01-16 08:00", late: .send)
        try await apply([bounded], "2027-01-15T08:00:00Z")
        #expect(
            try await apply([bounded], "2027-01-16T07:00:01Z")
                == ["miss 1 2027-01-16T06:30:00Z 2027-01-16T06:30:00Z"]
        )
    }

    @Test func `a raised revision applies to later slots`() async throws {
        try await apply([scene.rule("30 7 * * *")], "2027-01-15T08:00:00Z")
        let second = try scene.rule("30 7 * * *", revision: 2)
        #expect(
            try await apply([second], "2027-01-15T09:00:00Z") == [
                "unschedule 2027-01-16T07:30/1",
                "schedule 2027-01-16T07:30/2 2027-01-16T06:30:00Z",
            ]
        )
        #expect(
            try await apply([second], "2027-01-16T06:30:00Z").first == "send 2027-01-16T07:30/2"
        )
    }

    // MARK: Interrupted and removed rules

    @Test func `the next apply sends the slot that a crashed run was about to send`() async throws {
        let daily = try scene.rule("30 7 * * *")
        try await scene.remember(scene.plan([daily], at: moment("2027-01-15T08:00:00Z")))
        try await scene.remember(scene.plan([daily], at: moment("2027-01-16T06:30:00Z")))
        #expect(try await apply([daily], "2027-01-16T06:32:00Z") == ["send 2027-01-16T07:30/1"])
    }

    @Test func `a due slot of a minute rule supersedes the one of a crashed run`() async throws {
        let minutes = try scene.rule("* * * * *")
        try await scene.remember(scene.plan([minutes], at: moment("2027-01-15T08:00:00Z")))
        try await scene.remember(scene.plan([minutes], at: moment("2027-01-15T08:02:10Z")))
        #expect(
            try await apply([minutes], "2027-01-15T08:03:10Z") == [
                "miss 1 2027-01-15T08:02:00Z 2027-01-15T08:02:00Z superseded",
                "send 2027-01-15T09:03/1", "schedule 2027-01-15T09:04/1 2027-01-15T08:04:00Z",
            ]
        )
    }

    @Test func `a removed rule is cancelled, and starts from scratch when added again`()
        async throws
    {
        let daily = try scene.rule("30 7 * * *", late: .send)
        try await apply([daily], "2027-01-15T08:00:00Z")
        let gone = try await scene.plan([], at: moment("2027-01-15T09:00:00Z"))
        let id = OccurrenceID(
            campaign: daily.id,
            slot: Slot(text: "2027-01-16T07:30"),
            revision: 1
        )
        let due = try moment("2027-01-16T06:30:00Z")
        let cancelled = CancelledSend(occurrence: id, due: due, unsent: nil)
        #expect(gone.campaigns.map(\.step) == [.cancel(cancelled)])
        try await scene.remember(gone)
        try await scene.store.close(id, as: .cancelled)
        #expect(
            try await apply([daily], "2027-01-18T09:00:00Z")
                == ["schedule 2027-01-19T07:30/1 2027-01-19T06:30:00Z"]
        )
    }
}

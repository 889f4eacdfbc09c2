import CampaignModel
import State
import Testing
import Time

extension StoreCases {
    static let historyCases = [
        StoreCase("returns runs with their records, newest first") { state in
            let store = try await state.open()
            let tally = StoreFixtures.tally([.accepted: 3, .unknown: 1])
            let first = try await store.beginRun(StoreFixtures.worker)
            try await store.finishRun(
                first,
                as: RunEnd(
                    status: .stopped,
                    tally: tally,
                    cause: "FCM refuses: 403",
                    at: StoreFixtures.due
                )
            )
            let second = try await store.beginRun(StoreFixtures.worker)
            let third = try await store.beginRun(StoreFixtures.tellingWorker)
            let expected = [
                record(third, .running, StoreFixtures.tellingWorker, serial: 3),
                record(second, .abandoned, serial: 2),
                RunRecord(
                    id: first,
                    worker: StoreFixtures.worker,
                    status: .stopped,
                    ended: StoreFixtures.due,
                    tally: tally,
                    cause: "FCM refuses: 403",
                    serial: StateSerial(number: 1)
                ),
            ]
            #expect(try await state.open().runs(limit: 9) == expected)
            #expect(try await store.runs(limit: 2) == Array(expected.prefix(2)))
            #expect(try await store.runs(limit: 0).isEmpty)
        },
        StoreCase("keeps the last measurement of each kind of requests") { state in
            let store = try await state.open()
            #expect(try await store.traffic().isEmpty)
            func measurement(
                _ kind: TrafficMeasurement.Kind,
                _ milliseconds: Int
            ) -> TrafficMeasurement {
                TrafficMeasurement(
                    of: kind,
                    roundTrip: .milliseconds(milliseconds),
                    rate: 1_234.5,
                    at: StoreFixtures.due
                )
            }
            for traffic in [
                [measurement(.memberships, 40), measurement(.sends, 90)],
                [measurement(.sends, 110)], [],
            ] {
                let run = try await store.beginRun(StoreFixtures.worker)
                let end = RunEnd(
                    status: .complete,
                    tally: OutcomeTally(),
                    traffic: traffic,
                    at: StoreFixtures.due
                )
                try await store.finishRun(run, as: end)
            }
            let expected = [measurement(.sends, 110), measurement(.memberships, 40)]
            #expect(try await state.open().traffic() == expected)
        },
        StoreCase("records a run's sends; the last record of an occurrence counts") { state in
            let store = try await state.open()
            let (one, two) = (
                try await store.beginRun(StoreFixtures.worker),
                try await store.beginRun(StoreFixtures.worker)
            )
            let sale = try StoreFixtures.occurrence("sale")
            let news = try StoreFixtures.occurrence("news", revision: 2)
            func sending(_ id: OccurrenceID, _ outcome: Outcome, _ count: Int) -> RunOccurrence {
                RunOccurrence(
                    occurrence: id,
                    tally: StoreFixtures.tally([outcome: count]),
                    repeated: count * 2,
                    problems: [
                        RunProblem(kind: .unknown, registration: "ab", reason: "\"x\"\n"),
                        RunProblem(kind: .repeated, registration: nil, reason: "y"),
                    ]
                )
            }
            try await store.record(sending(sale, .accepted, 1), in: one)
            try await store.record(sending(news, .rejected, 2), in: one)
            try await store.record(sending(sale, .returned, 3), in: one)
            try await store.record(sending(sale, .expired, 4), in: two)
            #expect(
                Set(try await state.open().sendings(of: one))
                    == [sending(news, .rejected, 2), sending(sale, .returned, 3)]
            )
            #expect(try await store.sendings(of: two) == [sending(sale, .expired, 4)])
        },
        StoreCase("knows the run that last changed an occurrence or a definition") { state in
            let store = try await state.open()
            #expect(
                try await store.lastChanges() == LastChanges(occurrences: [:], definitions: [:])
            )
            let sale = try StoreFixtures.occurrence("sale")
            let news = try StoreFixtures.occurrence("news")
            let later = StoreFixtures.due.advanced(bySeconds: 60)
            let first = try await store.beginRun(StoreFixtures.worker)
            try await store.record(
                [
                    .define(try StoreFixtures.definition("sale", title: "A")),
                    .schedule(sale, due: StoreFixtures.due),
                    .schedule(news, due: StoreFixtures.due),
                ],
                in: first
            )
            try await store.finishRun(
                first,
                as: RunEnd(status: .complete, tally: OutcomeTally(), at: StoreFixtures.due)
            )
            let second = try await store.beginRun(StoreFixtures.tellingWorker)
            try await store.record([.schedule(sale, due: later)], in: second)
            let third = try await store.beginRun(StoreFixtures.worker)
            try await store.record(
                RunOccurrence(
                    occurrence: news,
                    tally: StoreFixtures.tally([.cancelled: 1])
                ),
                in: third
            )
            // A run without an end has the time of its start.
            #expect(
                try await state.open().lastChanges()
                    == LastChanges(
                        occurrences: [
                            sale: LastChange(
                                run: second,
                                moment: StoreFixtures.tellingWorker.since
                            ),
                            news: LastChange(run: third, moment: StoreFixtures.worker.since),
                        ],
                        definitions: [
                            sale.campaign: LastChange(run: first, moment: StoreFixtures.due)
                        ]
                    )
            )
        },
        StoreCase("records a run's membership changes") { state in
            let store = try await state.open()
            let run = try await store.beginRun(StoreFixtures.worker)
            let scope = try StoreFixtures.scope("all", "news")
            let first = RunMembership(scope: scope, joined: 1, left: 2, refused: 3)
            let last = RunMembership(scope: scope, joined: 4, left: 5, refused: 6)
            for change in [first, last] { try await store.record(change, in: run) }
            #expect(try await state.open().membershipChanges(of: run) == [last])
            let other = try await store.beginRun(StoreFixtures.worker)
            #expect(try await store.membershipChanges(of: other).isEmpty)
        },
        StoreCase("counts each dead registration once") { state in
            let store = try await state.open()
            let dead = try StoreFixtures.members(0..<5).map(\.fingerprint)
            #expect(try await store.deadCount() == 0)
            try await store.markDead(Array(dead[..<3]), at: StoreFixtures.due)
            try await store.markDead(Array(dead[1...]), at: .latest)
            #expect(try await store.deadCount() == 5)
            #expect(try await state.open().appliedState().deadCount == 5)
        },
        StoreCase("records a run's part of an occurrence and finishes it") { state in
            let store = try await state.open()
            let unit = try await StoreFixtures.openedUnit(store, count: 1)
            let run = try #require(try await store.runs(limit: 1).first).id
            try await store.record(
                [RequestOutcome(index: 0, outcome: .accepted)],
                released: 1,
                of: unit.id
            )
            let sending = RunOccurrence(
                occurrence: try StoreFixtures.occurrence("sale"),
                tally: StoreFixtures.tally([.accepted: 1])
            )
            try await store.finish(sending, in: run)
            let other = try await state.open()
            #expect(try await other.sendings(of: run) == [sending])
            #expect(try await other.occurrence(sending.occurrence)?.status == .finished)
            let unknown = RunOccurrence(
                occurrence: try StoreFixtures.occurrence("nowhere"),
                tally: OutcomeTally()
            )
            await #expect(throws: StateStoreError.self) {
                try await store.finish(unknown, in: run)
            }
            #expect(try await other.sendings(of: run) == [sending])
        },
        StoreCase("finds the dead among registrations") { state in
            let store = try await state.open()
            let people = try StoreFixtures.members(0..<3_000).map(\.fingerprint)
            #expect(try await store.deadRegistrations(among: people).isEmpty)
            try await store.markDead([people[7], people[2_000]], at: StoreFixtures.due)
            let few = try await store.deadRegistrations(among: Array(people[..<10]))
            #expect(
                people[..<10].map(few.contains).enumerated().filter(\.element).map(\.offset) == [7]
            )
            let many = try await store.deadRegistrations(among: people)
            #expect(people.filter(many.contains) == [people[7], people[2_000]])
            #expect(try await store.deadRegistrations(among: []).isEmpty)
        },
        StoreCase("a dead registration stays dead until it is revived") { state in
            let store = try await state.open()
            let people = try StoreFixtures.members(0..<5).map(\.fingerprint)
            #expect(try await store.deadRegistrations() == .none)
            try await store.markDead(Array(people[..<3]), at: StoreFixtures.due)
            #expect(
                people.map(try await state.open().deadRegistrations().contains)
                    == [true, true, true, false, false]
            )
            #expect(try await store.deadRegistrations().named(people[1].high) == [people[1]])
            #expect(try await store.deadRegistrations().named(people[4].high) == [])
            #expect(try await store.revive(Array(people[2...])) == 1)
            #expect(
                people.map(try await state.open().deadRegistrations().contains)
                    == [true, true, false, false, false]
            )
        },
    ]

    private static func record(
        _ run: RunID,
        _ status: RunStatus,
        _ worker: Worker = StoreFixtures.worker,
        serial: Int64
    ) -> RunRecord {
        RunRecord(
            id: run,
            worker: worker,
            status: status,
            ended: nil,
            tally: OutcomeTally(),
            cause: nil,
            serial: StateSerial(number: serial)
        )
    }
}

import CampaignModel
import FCMWire
import JSON
import State
import Testing
import Time

extension StoreCases {
    static let occurrenceCases = [
        StoreCase("an occurrence is scheduled, moved, cancelled and scheduled again") { state in
            let store = try await state.open()
            let run = try await store.beginRun(StoreFixtures.worker)
            let id = try StoreFixtures.occurrence("sale")
            let later = StoreFixtures.due.advanced(bySeconds: 60)
            func expect(_ status: OccurrenceStatus, due: Instant) async throws {
                let expected = OccurrenceRecord(
                    id: id,
                    status: status,
                    due: due,
                    message: nil,
                    unit: nil
                )
                #expect(try await store.appliedState().occurrences == [id: expected])
            }
            try await store.record([.schedule(id, due: StoreFixtures.due)], in: run)
            try await expect(.scheduled, due: StoreFixtures.due)
            try await store.record([.schedule(id, due: later)], in: run)
            try await expect(.scheduled, due: later)
            try await store.close(id, as: .cancelled)
            try await expect(.cancelled, due: later)
            try await store.record([.schedule(id, due: StoreFixtures.due)], in: run)
            try await expect(.scheduled, due: StoreFixtures.due)
        },
        StoreCase("an occurrence that was never scheduled can expire") { state in
            let store = try await state.open()
            let id = try StoreFixtures.occurrence("sale")
            try await store.record(
                [.expire(id, due: StoreFixtures.due)],
                in: store.beginRun(StoreFixtures.worker)
            )
            let record = try await store.appliedState().occurrences[id]
            #expect(record?.status == .expired)
            #expect(record?.due == StoreFixtures.due)
        },
        StoreCase("each revision and each slot is a separate occurrence") { state in
            let store = try await state.open()
            let run = try await store.beginRun(StoreFixtures.worker)
            let first = try StoreFixtures.occurrence("sale")
            let second = try StoreFixtures.occurrence("sale", revision: 2)
            let slot = OccurrenceID(
                campaign: first.campaign,
                slot: Slot(text: "2027-03-28T09:00"),
                revision: 1
            )
            for id in [first, second, slot] {
                try await store.record([.schedule(id, due: StoreFixtures.due)], in: run)
            }
            try await store.close(second, as: .cancelled)
            let statuses = try await store.appliedState().occurrences.mapValues(\.status)
            #expect(statuses == [first: .scheduled, second: .cancelled, slot: .scheduled])
        },
        StoreCase("an opened occurrence has its message and a unit of intended requests") { state in
            let store = try await state.open()
            let condition = "'a' in topics && 'b' in topics"
            let message: JSONValue = ["notification": ["title": "a\u{0}\"\\\u{1F600}"]]
            let opened = OpenedOccurrence(
                id: try StoreFixtures.occurrence("sale"),
                due: StoreFixtures.due,
                message: message,
                target: .condition(condition),
                count: 1
            )
            let run = try await store.beginRun(StoreFixtures.worker)
            try await store.record([.schedule(opened.id, due: .earliest)], in: run)
            let unit = try await store.open(opened, in: run)
            let expected = WorkUnitRecord(
                id: unit.id,
                target: .condition(condition),
                count: 1,
                released: 0,
                tally: StoreFixtures.tally([.intended: 1])
            )
            #expect(unit == expected)
            let record = OccurrenceRecord(
                id: opened.id,
                status: .dispatching,
                due: StoreFixtures.due,
                message: message,
                unit: expected
            )
            #expect(try await state.open().appliedState().occurrences == [opened.id: record])
        },
        StoreCase("the time at which an objective was reached is recorded once") { state in
            let store = try await state.open()
            let objective = try #require(Objective("90% in 2m"))
            let id = try StoreFixtures.occurrence("sale")
            let opened = OpenedOccurrence(
                id: id,
                due: StoreFixtures.due,
                message: ["topic": "news"],
                target: .topic(try #require(Topic("news"))),
                count: 1,
                objective: objective
            )
            _ = try await store.open(opened, in: try await store.beginRun(StoreFixtures.worker))
            let other = try await StoreFixtures.openedUnit(store, campaign: "other", count: 1)
            func expect(_ objective: Objective, _ seconds: Int64?) async throws {
                let record = try await state.open().occurrence(id)
                #expect(record?.objective == objective)
                #expect(record?.reachedAfter == seconds)
            }
            try await expect(objective, nil)
            // The objective may have changed since the start.
            let changed = try #require(Objective("99.5% in 1h30m"))
            try await store.record(ReachedObjective(changed, after: 108), of: id)
            try await store.record(ReachedObjective(objective, after: 300), of: id)
            try await expect(changed, 108)
            try await store.close(id, as: .finished)
            try await expect(changed, 108)
            let plain = try await store.occurrence(StoreFixtures.occurrence("other"))
            #expect(plain?.unit == other)
            #expect(plain?.objective == nil)
            #expect(plain?.reachedAfter == nil)
        },
        StoreCase("a rollout keeps its stage, its stop and who continued it") { state in
            let store = try await state.open()
            let id = try StoreFixtures.occurrence("sale")
            let rollout = Rollout(
                stages: [.count(5), .share(.tenPercent)],
                pause: 60,
                stopWhen: .init(rejected: .share(.tenPercent), unknown: nil)
            )
            let first = RolloutRecord(rollout, since: StoreFixtures.due)
            let opened = OpenedOccurrence(
                id: id,
                due: StoreFixtures.due,
                message: ["topic": "news"],
                target: .topic(try #require(Topic("news"))),
                count: 1,
                rollout: first
            )
            _ = try await store.open(opened, in: try await store.beginRun(StoreFixtures.worker))
            func expect(_ record: RolloutRecord?, due: Instant, hold: Hold?) async throws {
                let found = try await state.open().occurrence(id)
                #expect(found?.rollout == record)
                #expect(found?.due == due)
                #expect(found?.hold == hold)
            }
            try await expect(first, due: StoreFixtures.due, hold: nil)
            let later = StoreFixtures.due.advanced(bySeconds: 60)
            let counts = RolloutCounts(accepted: 4, rejected: 1, unknown: 0)
            let begin = RolloutChange.begin(stage: 1, at: later, counts: counts)
            let second = try #require(try await store.change(id, by: begin))
            #expect(second == first.applying(begin))
            try await expect(second, due: later, hold: nil)
            // A stage begins once.
            #expect(try await store.change(id, by: begin) == nil)
            let stop = RolloutChange.stop(RolloutStop(.rejected, counts: counts, code: "503"))
            let stopped = try #require(try await store.change(id, by: stop))
            try await expect(stopped, due: later, hold: .rollout)
            // A lifted hold does not lift the stop.
            try await store.hold(id, with: nil)
            try await expect(stopped, due: later, hold: .rollout)
            let noon = later.advanced(bySeconds: 3_600)
            let decision = RolloutDecision(user: "ana", host: "horta", at: noon)
            let goOn = try #require(try await store.change(id, by: .goOn(decision)))
            try await expect(goOn, due: noon, hold: nil)
            #expect(try await store.change(id, by: .goOn(decision)) == nil)
            try await store.close(id, as: .finished)
            #expect(try await store.change(id, by: .abort(decision)) == nil)
        },
        StoreCase("an occurrence in progress cannot be opened, moved or expired") { state in
            let store = try await state.open()
            let unit = try await StoreFixtures.openedUnit(store, count: 3)
            let id = try StoreFixtures.occurrence("sale")
            let before = try await store.appliedState().occurrences
            let run = try await store.beginRun(StoreFixtures.worker)
            await #expect(throws: StateStoreError.self) {
                try await StoreFixtures.openedUnit(store, count: 3)
            }
            let changes: [DefinitionChange] = [
                .schedule(id, due: .latest), .expire(id, due: .latest),
            ]
            for change in changes {
                await #expect(throws: StateStoreError.self) {
                    try await store.record([change], in: run)
                }
            }
            #expect(try await store.appliedState().occurrences == before)
            #expect(before[id]?.unit == unit)
        },
        StoreCase("only the rest of a send in progress can be deferred") { state in
            let store = try await state.open()
            let unit = try await StoreFixtures.openedUnit(store, count: 3)
            let id = try StoreFixtures.occurrence("sale")
            let run = try await store.beginRun(StoreFixtures.worker)
            let later = StoreFixtures.due.advanced(bySeconds: 32_400)
            try await store.record([.deferRest(id, until: later)], in: run)
            let record = try await state.open().appliedState().occurrences[id]
            #expect(record?.due == later)
            #expect(record?.status == .dispatching)
            #expect(record?.unit == unit)
            let scheduled = try StoreFixtures.occurrence("offer")
            try await store.record([.schedule(scheduled, due: StoreFixtures.due)], in: run)
            for other in [scheduled, try StoreFixtures.occurrence("none")] {
                await #expect(throws: StateStoreError.self) {
                    try await store.record([.deferRest(other, until: later)], in: run)
                }
            }
        },
        StoreCase("stores the records that guards compare with") { state in
            let store = try await state.open()
            #expect(try await store.appliedState().guards == .none)
            let run = try await store.beginRun(StoreFixtures.worker)
            let news = try StoreFixtures.scope("all", "news")
            let sport = try StoreFixtures.scope("all", "sport")
            try await store.record(
                [
                    .pin(projectID: "shop"), .aim(news, at: .list(ListID(text: "a"))),
                    .aim(sport, at: .list(ListID(text: "a"))),
                ],
                in: run
            )
            let policy = ApprovalPolicy(
                need: 2,
                over: 50_000,
                excludesAuthors: true,
                valid: 3_600,
                signers: "ana@example.com ssh-ed25519 AAAA\n",
                revoked: nil
            )
            try await store.record(
                [.pin(projectID: "other"), .aim(sport, at: .nobody), .approvals(policy)],
                in: run
            )
            let aims = [news: MembershipGoal.list(ListID(text: "a")), sport: .nobody]
            #expect(
                try await store.appliedState().guards
                    == AppliedGuards(projectID: "other", aims: aims, approvals: policy)
            )
            try await store.record([.approvals(nil)], in: run)
            #expect(try await store.guards().approvals == nil)
        },
        StoreCase("closing sets the final status and keeps the unit") { state in
            let store = try await state.open()
            let unit = try await StoreFixtures.openedUnit(store, count: 1)
            let id = try StoreFixtures.occurrence("sale")
            try await store.close(id, as: .finished)
            let record = try await store.appliedState().occurrences[id]
            #expect(record?.status == .finished)
            #expect(record?.unit == unit)
            let other = try StoreFixtures.occurrence("other")
            await #expect(throws: StateStoreError.self) {
                try await store.close(other, as: .finished)
            }
        },
    ]
}

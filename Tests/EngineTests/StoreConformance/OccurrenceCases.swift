import CampaignModel
import FCMWire
import JSON
import State
import Testing
import Time

extension StoreConformance {
    static let occurrenceCases = [
        StoreCase("an occurrence is scheduled, moved, cancelled and scheduled again") { state in
            let store = try state.open()
            let run = try store.beginRun(StoreFixtures.worker)
            let id = try StoreFixtures.occurrence("sale")
            let later = StoreFixtures.due.advanced(bySeconds: 60)
            func expect(_ status: OccurrenceStatus, due: Instant) throws {
                let expected = OccurrenceRecord(
                    id: id,
                    status: status,
                    due: due,
                    message: nil,
                    unit: nil
                )
                #expect(try store.appliedState().occurrences == [id: expected])
            }
            try store.record([.schedule(id, due: StoreFixtures.due)], in: run)
            try expect(.scheduled, due: StoreFixtures.due)
            try store.record([.schedule(id, due: later)], in: run)
            try expect(.scheduled, due: later)
            try store.close(id, as: .cancelled)
            try expect(.cancelled, due: later)
            try store.record([.schedule(id, due: StoreFixtures.due)], in: run)
            try expect(.scheduled, due: StoreFixtures.due)
        },
        StoreCase("an occurrence that was never scheduled can expire") { state in
            let store = try state.open()
            let id = try StoreFixtures.occurrence("sale")
            try store.record(
                [.expire(id, due: StoreFixtures.due)],
                in: store.beginRun(StoreFixtures.worker)
            )
            let record = try store.appliedState().occurrences[id]
            #expect(record?.status == .expired)
            #expect(record?.due == StoreFixtures.due)
        },
        StoreCase("revisions and slots are occurrences of their own") { state in
            let store = try state.open()
            let run = try store.beginRun(StoreFixtures.worker)
            let first = try StoreFixtures.occurrence("sale")
            let second = try StoreFixtures.occurrence("sale", revision: 2)
            let slot = OccurrenceID(
                campaign: first.campaign,
                slot: Slot(text: "2027-03-28T09:00"),
                revision: 1
            )
            for id in [first, second, slot] {
                try store.record([.schedule(id, due: StoreFixtures.due)], in: run)
            }
            try store.close(second, as: .cancelled)
            let statuses = try store.appliedState().occurrences.mapValues(\.status)
            #expect(statuses == [first: .scheduled, second: .cancelled, slot: .scheduled])
        },
        StoreCase("an opened occurrence has its message and a unit of intended requests") { state in
            let store = try state.open()
            let condition = "'a' in topics && 'b' in topics"
            let opened = OpenedOccurrence(
                id: try StoreFixtures.occurrence("sale"),
                due: StoreFixtures.due,
                message: ["notification": ["title": "a\u{0}\"\\\u{1F600}"]],
                target: .condition(condition),
                count: 1
            )
            let run = try store.beginRun(StoreFixtures.worker)
            try store.record([.schedule(opened.id, due: .earliest)], in: run)
            let unit = try store.open(opened, in: run)
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
                message: opened.message,
                unit: expected
            )
            #expect(try state.open().appliedState().occurrences == [opened.id: record])
        },
        StoreCase("what is being sent is not opened, moved or expired again") { state in
            let store = try state.open()
            let unit = try StoreFixtures.openedUnit(store, count: 3)
            let id = try StoreFixtures.occurrence("sale")
            let before = try store.appliedState().occurrences
            let run = try store.beginRun(StoreFixtures.worker)
            #expect(throws: StateStoreError.self) {
                try StoreFixtures.openedUnit(store, count: 3)
            }
            let changes: [DefinitionChange] = [
                .schedule(id, due: .latest), .expire(id, due: .latest),
            ]
            for change in changes {
                #expect(throws: StateStoreError.self) { try store.record([change], in: run) }
            }
            #expect(try store.appliedState().occurrences == before)
            #expect(before[id]?.unit == unit)
        },
        StoreCase("what guards go by is kept") { state in
            let store = try state.open()
            #expect(try store.appliedState().guards == .none)
            let run = try store.beginRun(StoreFixtures.worker)
            let news = try StoreFixtures.scope("all", "news")
            let sport = try StoreFixtures.scope("all", "sport")
            try store.record(
                [
                    .pin(projectID: "shop"), .aim(news, at: .list(ListID(text: "a"))),
                    .aim(sport, at: .list(ListID(text: "a"))),
                ],
                in: run
            )
            try store.record([.pin(projectID: "other"), .aim(sport, at: .nobody)], in: run)
            #expect(
                try store.appliedState().guards
                    == AppliedGuards(
                        projectID: "other",
                        aims: [news: .list(ListID(text: "a")), sport: .nobody]
                    )
            )
        },
        StoreCase("closing gives the last status and keeps the unit") { state in
            let store = try state.open()
            let unit = try StoreFixtures.openedUnit(store, count: 1)
            let id = try StoreFixtures.occurrence("sale")
            try store.close(id, as: .finished)
            let record = try store.appliedState().occurrences[id]
            #expect(record?.status == .finished)
            #expect(record?.unit == unit)
            let other = try StoreFixtures.occurrence("other")
            #expect(throws: StateStoreError.self) { try store.close(other, as: .finished) }
        },
    ]
}

import CampaignModel
import JSON
import State
import Testing
import Time

extension StoreCases {
    private static let list = ListID(text: String(repeating: "9e", count: 32))
    private static let position = InboxPosition(inbox: "0123456789abcdef", number: 7)

    private static func id() throws -> OccurrenceID {
        OccurrenceID(
            campaign: try #require(CampaignID("thanks")),
            slot: .reply(to: position.number, in: position.inbox),
            revision: 1
        )
    }

    private static func replies(to count: Int) throws -> UpstreamChange {
        .reply(
            RequestedReplies(
                try id(),
                due: StoreFixtures.due,
                message: ["fields": ["notification": ["title": "Thank you"]]],
                deduplicationKey: "k",
                list: list,
                registrations: try StoreFixtures.registrations(0..<count)
            )
        )
    }

    static let replyCases = [
        StoreCase("replies are in progress as soon as they are recorded, with their list") {
            state in
            let store = try await state.open()
            _ = try await store.beginRun(StoreFixtures.worker)
            #expect(try await store.occurrences(.openReplies) == [])
            try await store.record([replies(to: 1_500)], upTo: position)
            let open = try await store.occurrences(.openReplies)
            let record = try #require(open.first)
            #expect(open.count == 1)
            #expect(record.id == (try id()))
            #expect(record.id.description == "thanks/reply:01234567-7/1")
            #expect(record.status == .dispatching)
            #expect(record.due == StoreFixtures.due)
            #expect(record.message?["fields"]?["notification"]?["title"] == "Thank you")
            #expect(record.deduplicationKey == "k")
            let unit = try #require(record.unit)
            #expect(unit.target == .registrations(list))
            #expect(unit.count == 1_500)
            #expect(unit.isUntouched)
            let rows = try await store.registrations(of: list, from: 990, count: 1_000)
            #expect(rows == (try StoreFixtures.registrations(990..<1_500)))
            #expect(try await store.occurrences(.dispatching).map(\.id) == [record.id])
            #expect(try await store.appliedState().occurrences.isEmpty)
            #expect(try await store.upstreamPosition() == position)
        },
        StoreCase("replies are recorded once, and their list is dropped at their end") { state in
            let store = try await state.open()
            let run = try await store.beginRun(StoreFixtures.worker)
            try await store.record([replies(to: 2)], upTo: position)
            let unit = try #require(try await store.occurrence(id())?.unit)
            try await store.record(
                [RequestOutcome(index: 0, outcome: .accepted)],
                released: 1,
                of: unit.id
            )
            // A state that has lost its position reads the same messages.
            try await store.record([replies(to: 2)], upTo: position)
            #expect(try await store.occurrence(id())?.unit?.tally[.accepted] == 1)
            #expect(try await store.hasList(list))
            try await store.close(id(), as: .finished)
            #expect(try await !store.hasList(list))
            #expect(try await store.occurrences(.openReplies) == [])
            try await store.record([replies(to: 2)], upTo: position)
            #expect(try await store.occurrence(id())?.status == .finished)
            try await store.finishRun(
                run,
                as: RunEnd(status: .complete, tally: OutcomeTally(), at: StoreFixtures.due)
            )
        },
    ]
}

import CampaignModel
import JSON
import State
import Testing
import Time

extension StoreCases {
    private static let list = ListID(text: String(repeating: "7c", count: 32))

    private static func request(_ campaign: String = "sale") throws -> RequestedRecall {
        RequestedRecall(
            try StoreFixtures.occurrence(campaign),
            message: ["fields": ["android": ["notification": ["tag": "k"]]]],
            worker: StoreFixtures.worker
        )
    }

    static let recallCases = [
        StoreCase("a recall is requested once, and waits as an occurrence") { state in
            let (store, other) = (try await state.open(), try await state.open())
            try await StoreFixtures.openedUnit(store, count: 3)
            let id = try StoreFixtures.occurrence("sale")
            #expect(try await store.occurrences(.openRecalls) == [])
            #expect(try await other.request(request()))
            #expect(try await !store.request(request()))
            let open = try await store.occurrences(.openRecalls)
            let recall = try #require(open.first)
            #expect(open.count == 1)
            #expect(recall.id == id.recall)
            #expect(recall.id.recalled == id)
            #expect(recall.status == .scheduled)
            #expect(recall.due == StoreFixtures.worker.since)
            #expect(recall.recall == RecallAuthor(user: "ada", host: "desk"))
            #expect(recall.message == (try request()).message)
            #expect(try await store.appliedState().occurrences.keys.map(\.self) == [id])
        },
        StoreCase("what has not begun cannot be recalled") { state in
            let store = try await state.open()
            await #expect(throws: StateStoreError.self) { try await store.request(request()) }
        },
        StoreCase("a campaign is paused while an occurrence in progress is recalled") { state in
            let store = try await state.open()
            let id = try StoreFixtures.occurrence("sale")
            try await StoreFixtures.openedUnit(store, count: 3)
            #expect(try await store.pauses() == [])
            #expect(try await store.request(request()))
            let pause = Pause(
                scope: .campaign(id.campaign),
                since: StoreFixtures.worker.since,
                user: "ada",
                host: "desk"
            )
            #expect(try await store.pauses() == [pause])
            #expect(try await store.appliedState().pauses == [pause])
            try await store.close(id, as: .cancelled)
            #expect(try await store.pauses() == [])
        },
        StoreCase("a recall keeps the list of an occurrence until it has ended") { state in
            let store = try await state.open()
            try await store.store(StoreFixtures.registrations(0..<5), as: list)
            let id = try StoreFixtures.occurrence("sale")
            let run = try await store.beginRun(StoreFixtures.worker)
            func opened(_ id: OccurrenceID) -> OpenedOccurrence {
                OpenedOccurrence(
                    id: id,
                    due: StoreFixtures.due,
                    message: [:],
                    target: .registrations(list),
                    count: 5
                )
            }
            _ = try await store.open(opened(id), in: run)
            #expect(try await store.request(request()))
            try await store.close(id, as: .finished)
            #expect(try await store.hasList(list))
            let unit = try await store.open(opened(id.recall), in: run)
            #expect(try await store.occurrence(id.recall)?.recall?.user == "ada")
            #expect(try await store.occurrences(.openRecalls).map(\.unit?.id) == [unit.id])
            try await store.close(id.recall, as: .finished)
            #expect(try await !store.hasList(list))
            #expect(try await store.occurrences(.openRecalls) == [])
        },
        StoreCase("a list is kept until a time, and dropped by the first run that ends later") {
            state in
            let store = try await state.open()
            try await store.store(StoreFixtures.registrations(0..<5), as: list)
            let id = try StoreFixtures.occurrence("sale")
            let run = try await store.beginRun(StoreFixtures.worker)
            let opened = OpenedOccurrence(
                id: id,
                due: StoreFixtures.due,
                message: [:],
                target: .registrations(list),
                count: 5,
                keptUntil: StoreFixtures.due.advanced(bySeconds: 60)
            )
            _ = try await store.open(opened, in: run)
            try await store.close(id, as: .finished)
            func end(after seconds: Int64) async throws {
                let run = try await store.beginRun(StoreFixtures.worker)
                let end = RunEnd(
                    status: .complete,
                    tally: OutcomeTally(),
                    at: StoreFixtures.due.advanced(bySeconds: seconds)
                )
                try await store.finishRun(run, as: end)
            }
            try await end(after: 59)
            #expect(try await store.hasList(list))
            try await end(after: 60)
            #expect(try await !store.hasList(list))
        },
    ]
}

import CampaignModel
import State
import Testing

extension StoreCases {
    static let chainCases: [StoreCase] = [
        StoreCase("an unedited history passes the check") { state in
            let store = try await state.open()
            try await store.lock(for: StoreFixtures.worker, waiting: .zero)
            let first = try await store.beginRun(StoreFixtures.tellingWorker)
            let sale = try StoreFixtures.occurrence("sale")
            let tally = StoreFixtures.tally([.accepted: 2])
            try await store.record(RunOccurrence(occurrence: sale, tally: tally), in: first)
            try await store.record(
                RunMembership(
                    scope: try StoreFixtures.scope("folk", "tides"),
                    joined: 1,
                    left: 0,
                    refused: 0
                ),
                in: first
            )
            // The next writer completes the record of an interrupted run.
            let second = try await store.beginRun(StoreFixtures.worker)
            try await store.record(
                RunOccurrence(occurrence: sale, tally: tally, repeated: 1),
                in: first
            )
            try await store.finishRun(
                second,
                as: RunEnd(
                    status: .stopped,
                    tally: tally,
                    cause: "FCM refuses access",
                    at: StoreFixtures.due
                )
            )
            _ = try await store.pause(pause())
            _ = try await store.liftPause(pause())
            try await store.note(StoreFixtures.worker)
            let verdict = try await state.open().verifyHistory()
            #expect(verdict.isIntact)
            #expect(verdict.differences == [])
            #expect(verdict.runsBefore == 0)
            #expect(verdict.head == (try await store.chainHead()))
            // The start, two beginnings, two ends, two occurrences, a membership, a lifted pause,
            // an operation.
            #expect(verdict.head.count == 11)
        },
        StoreCase("a renamed campaign does not count as an edit") { state in
            let store = try await state.open()
            let run = try await store.beginRun(StoreFixtures.worker)
            let old = try StoreFixtures.occurrence("old")
            let tally = StoreFixtures.tally([.accepted: 2])
            try await store.record(RunOccurrence(occurrence: old, tally: tally), in: run)
            _ = try await store.pause(pause(.campaign(old.campaign)))
            let new = try StoreFixtures.occurrence("new").campaign
            try await store.record([.rename(old.campaign, to: new)], in: run)
            // The old name may be given to another campaign, and that campaign may be renamed, too.
            try await store.record(RunOccurrence(occurrence: old, tally: tally), in: run)
            let third = try StoreFixtures.occurrence("third").campaign
            try await store.record([.rename(old.campaign, to: third)], in: run)
            #expect(try await store.verifyHistory().differences == [])
            #expect(
                try await store.sendings(of: run).map(\.occurrence.campaign.rawValue)
                    == ["new", "third"]
            )
        },
        StoreCase("each entry changes the chain's head, and earlier heads can be found") { state in
            let store = try await state.open()
            let none = try await store.chainHead()
            #expect(none.count == 0)
            #expect(try await store.chainHead(at: 0) == none)
            let run = try await store.beginRun(StoreFixtures.worker)
            let begun = try await store.chainHead()
            #expect(begun.count == 2)
            try await store.record(
                RunOccurrence(
                    occurrence: try StoreFixtures.occurrence("sale"),
                    tally: StoreFixtures.tally([.accepted: 2])
                ),
                in: run
            )
            #expect(try await store.chainHead().count == 3)
            #expect(try await store.chainHead(at: 2) == begun)
            #expect(try await store.chainHead(at: 4) == nil)
            #expect(ChainHead(begun.description) == begun)
        },
        StoreCase("returns the runs before a run, newest first") { state in
            let store = try await state.open()
            for _ in 1...4 { _ = try await store.beginRun(StoreFixtures.worker) }
            let before = try await store.runs(before: RunID(number: 4), limit: 2)
            #expect(before.map(\.id.number) == [3, 2])
            #expect(try await store.runs(before: RunID(number: 1), limit: 2).isEmpty)
        },
    ]

    private static func pause(_ scope: PauseScope = .everything) -> Pause {
        Pause(scope: scope, since: StoreFixtures.due, user: "ada", host: "desk")
    }
}

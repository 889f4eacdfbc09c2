import CampaignModel
import FCMWire
import JSON
import State
import Testing
import Time

extension StoreCases {
    static let planCases = [
        StoreCase("stores a plan unchanged; the last plan with a digest counts") { state in
            let store = try await state.open()
            #expect(try await store.archivedPlan(digest(1)) == nil)
            let first = plan(1, serial: 3)
            try await store.keep(first)
            #expect(try await state.open().archivedPlan(digest(1)) == first)
            let again = plan(1, serial: 9)
            try await store.keep(again)
            #expect(try await store.archivedPlan(digest(1)) == again)
        },
        StoreCase("stores a plan while another process writes") { state in
            let (writer, other) = (try await state.open(), try await state.open())
            try await writer.lock(for: StoreFixtures.worker, waiting: .zero)
            try await other.keep(plan(1))
            #expect(try await writer.archivedPlan(digest(1)) == plan(1))
            await writer.unlock()
        },
        StoreCase("keeps the newest fifty plans") { state in
            let store = try await state.open()
            for number in 1...50 { try await store.keep(plan(number)) }
            try await store.keep(plan(1))
            try await store.keep(plan(51))
            #expect(try await store.archivedPlan(digest(2)) == nil)
            for number in [1, 3, 50, 51] {
                #expect(try await store.archivedPlan(digest(number)) != nil)
            }
        },
        StoreCase("keeps at most 32 MiB of plans, but always the newest plan") { state in
            let store = try await state.open()
            for (number, megabytes) in [(1, 10), (2, 12), (3, 12)] {
                try await store.keep(plan(number, megabytes: megabytes))
            }
            #expect(try await kept(1...3, store) == [2, 3])
            try await store.keep(plan(4, megabytes: 40))
            #expect(try await kept(1...4, store) == [4])
        },
        StoreCase("also keeps the plans of incomplete runs") { state in
            let store = try await state.open()
            for (number, status) in [(1, RunStatus.interrupted), (2, .complete)] {
                try await store.keep(plan(number))
                var worker = StoreFixtures.worker
                worker.digest = digest(number)
                let run = try await store.beginRun(worker)
                let tally = OutcomeTally()
                try await store.finishRun(
                    run,
                    as: RunEnd(status: status, tally: tally, at: StoreFixtures.due)
                )
            }
            for number in 10..<60 { try await store.keep(plan(number)) }
            #expect(try await store.archivedPlan(digest(1)) == plan(1))
            #expect(try await store.archivedPlan(digest(2)) == nil)
        },
    ]

    private static func kept(
        _ numbers: ClosedRange<Int>,
        _ store: any PlanArchive
    ) async throws -> [Int] {
        var kept: [Int] = []
        for number in numbers where try await store.archivedPlan(digest(number)) != nil {
            kept.append(number)
        }
        return kept
    }

    private static func digest(_ number: Int) -> String {
        String(repeating: "0", count: 38) + (number < 10 ? "0" : "") + String(number)
    }

    private static func plan(_ number: Int, megabytes: Int) -> ArchivedPlan {
        let text = String(repeating: "x", count: megabytes << 20)
        return ArchivedPlan(
            digest: digest(number),
            serial: StateSerial(number: 1),
            made: StoreFixtures.due,
            user: "ada",
            host: "desk",
            content: ["text": .string(text)]
        )
    }

    private static func plan(_ number: Int, serial: Int64 = 1) -> ArchivedPlan {
        ArchivedPlan(
            digest: digest(number),
            serial: StateSerial(number: serial),
            made: StoreFixtures.due,
            user: "ada",
            host: "desk",
            content: ["campaigns": [["title": "\"é\"\n"]], "number": .integer(Int64(number))]
        )
    }
}

import CampaignModel
import FCMWire
import JSON
import State
import Testing
import Time

extension StoreConformance {
    static let planCases = [
        StoreCase("a plan is kept as it is, the last word about a digest counts") { state in
            let store = try state.open()
            #expect(try store.archivedPlan(digest(1)) == nil)
            let first = plan(1, serial: 3)
            try store.keep(first)
            #expect(try state.open().archivedPlan(digest(1)) == first)
            let again = plan(1, serial: 9)
            try store.keep(again)
            #expect(try store.archivedPlan(digest(1)) == again)
        },
        StoreCase("a plan is kept while somebody else writes") { state in
            let (writer, other) = (try state.open(), try state.open())
            try await writer.lock(for: StoreFixtures.worker, waiting: .zero)
            defer { writer.unlock() }
            try other.keep(plan(1))
            #expect(try writer.archivedPlan(digest(1)) == plan(1))
        },
        StoreCase("the newest fifty plans are kept") { state in
            let store = try state.open()
            for number in 1...50 { try store.keep(plan(number)) }
            try store.keep(plan(1))
            try store.keep(plan(51))
            #expect(try store.archivedPlan(digest(2)) == nil)
            for number in [1, 3, 50, 51] { #expect(try store.archivedPlan(digest(number)) != nil) }
        },
        StoreCase("no more than 32 MiB of plans are kept, but always the newest") { state in
            let store = try state.open()
            for (number, megabytes) in [(1, 10), (2, 12), (3, 12)] {
                try store.keep(plan(number, megabytes: megabytes))
            }
            let kept = try (1...3).filter { try store.archivedPlan(digest($0)) != nil }
            #expect(kept == [2, 3])
            try store.keep(plan(4, megabytes: 40))
            let last = try (1...4).filter { try store.archivedPlan(digest($0)) != nil }
            #expect(last == [4])
        },
        StoreCase("plans of which no run came to its end are kept beside them") { state in
            let store = try state.open()
            for (number, status) in [(1, RunStatus.interrupted), (2, .complete)] {
                try store.keep(plan(number))
                var worker = StoreFixtures.worker
                worker.digest = digest(number)
                let run = try store.beginRun(worker)
                let tally = OutcomeTally()
                try store.finishRun(
                    run,
                    status: status,
                    tally: tally,
                    cause: nil,
                    at: StoreFixtures.due
                )
            }
            for number in 10..<60 { try store.keep(plan(number)) }
            #expect(try store.archivedPlan(digest(1)) == plan(1))
            #expect(try store.archivedPlan(digest(2)) == nil)
        },
    ]

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

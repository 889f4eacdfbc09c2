import State
import Testing
import Time

extension StoreCases {
    /// `process`: seen this many seconds after the others began.
    private static func runner(
        _ process: Int32,
        seen seconds: Int64,
        command: String = "herald run",
        readsLists: Bool = false,
        isStandby: Bool = false
    ) -> Runner {
        Runner(
            command: command,
            host: "desk",
            processID: process,
            since: StoreFixtures.due,
            lastSeen: StoreFixtures.due.advanced(bySeconds: seconds),
            readsLists: readsLists,
            isStandby: isStandby
        )
    }

    static let runnerCases = [
        StoreCase("a process is one runner, however often it is seen") { state in
            let store = try await state.open()
            #expect(try await store.runners().isEmpty)
            try await store.note(runner(1, seen: 0))
            try await store.note(runner(2, seen: 30, command: "herald apply --due"))
            try await store.note(runner(1, seen: 60, readsLists: true))
            let expected = [
                runner(1, seen: 60, readsLists: true),
                runner(2, seen: 30, command: "herald apply --due"),
            ]
            #expect(try await store.runners() == expected)
        },
        StoreCase("a standby that takes over is one runner") { state in
            let store = try await state.open()
            try await store.note(runner(1, seen: 0, isStandby: true))
            #expect(try await store.runners() == [runner(1, seen: 0, isStandby: true)])
            try await store.note(runner(1, seen: 5))
            #expect(try await store.runners() == [runner(1, seen: 5)])
        },
        StoreCase("keeps the eight runners that were seen last") { state in
            let store = try await state.open()
            for process in 1...20 {
                try await store.note(runner(Int32(process), seen: Int64(process) * 300))
            }
            let kept = try await store.runners().map(\.processID)
            #expect(kept == [20, 19, 18, 17, 16, 15, 14, 13])
        },
        StoreCase("a runner's record returns the versions around it") { state in
            let (store, other) = (try await state.open(), try await state.open())
            let first = try await store.version()
            let noted = try await store.note(runner(1, seen: 0))
            #expect(noted.before == first)
            #expect(try await store.version() == noted.after)
            try await other.note(runner(2, seen: 10))
            // A change of another process is not a part of the record.
            let next = try await store.note(runner(1, seen: 60))
            #expect(next.before != noted.after)
            #expect(try await store.version() == next.after)
        },
        StoreCase("a runner needs no lock, and changes neither serial nor history") { state in
            let (writer, other) = (try await state.open(), try await state.open())
            let before = try await other.identity()
            try await writer.lock(for: StoreFixtures.worker, waiting: .zero)
            try await other.note(runner(1, seen: 0))
            #expect(try await writer.runners() == [runner(1, seen: 0)])
            await writer.unlock()
            #expect(try await other.identity().serial == before.serial)
            #expect(try await other.runs(limit: 10).isEmpty)
        },
    ]
}

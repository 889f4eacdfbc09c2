import State
import Testing

extension StoreCases {
    static let lockCases = [
        StoreCase("there is one writer at a time, and others learn its name") { state in
            let (first, second) = (try await state.open(), try await state.open())
            try await first.lock(for: StoreFixtures.worker, waiting: .zero)
            await #expect(throws: StateStoreError.locked(holder: StoreFixtures.worker)) {
                try await second.lock(for: StoreFixtures.worker, waiting: .milliseconds(1))
            }
            await first.unlock()
            try await second.lock(for: StoreFixtures.worker, waiting: .zero)
            await second.unlock()
        },
        StoreCase("a waiting writer gets the lock when it is free") { state in
            let (first, second) = (try await state.open(), try await state.open())
            try await first.lock(for: StoreFixtures.worker, waiting: .zero)
            async let waited: Void = second.lock(for: StoreFixtures.worker, waiting: .seconds(60))
            await Task.yield()
            await first.unlock()
            try await waited
            await #expect(throws: StateStoreError.self) {
                try await first.lock(for: StoreFixtures.worker, waiting: .zero)
            }
        },
        StoreCase("the holder sees a waiting writer") { state in
            let (first, second) = (try await state.open(), try await state.open())
            try await first.lock(for: StoreFixtures.worker, waiting: .zero)
            #expect(await !first.hasWaitingWriter())
            await #expect(throws: StateStoreError.self) {
                try await second.lock(for: StoreFixtures.worker, waiting: .zero)
            }
            #expect(await !first.hasWaitingWriter())
            let waiting = Task {
                try await second.lock(for: StoreFixtures.worker, waiting: .seconds(3_600))
            }
            while await !first.hasWaitingWriter() { await Task.yield() }
            await first.unlock()
            try await waiting.value
            #expect(await !second.hasWaitingWriter())
        },
        StoreCase("a cancelled task stops waiting") { state in
            let (first, second) = (try await state.open(), try await state.open())
            try await first.lock(for: StoreFixtures.worker, waiting: .zero)
            let waiting = Task {
                try await second.lock(for: StoreFixtures.worker, waiting: .seconds(3_600))
            }
            waiting.cancel()
            await #expect(throws: StateStoreError.self) { try await waiting.value }
            await first.unlock()
        },
        StoreCase("a released store is no longer the writer") { state in
            try await lockAndDrop(state)
            let store = try await state.open()
            try await store.lock(for: StoreFixtures.worker, waiting: .zero)
            await store.unlock()
            await store.unlock()
        },
        StoreCase("a query names the writer and does not take the lock") { state in
            let (writer, looker) = (try await state.open(), try await state.open())
            #expect(try await looker.currentWriter() == .nobody)
            try await writer.lock(for: StoreFixtures.worker, waiting: .zero)
            #expect(try await looker.currentWriter() == .somebody(StoreFixtures.worker))
            #expect(try await writer.currentWriter() == .somebody(StoreFixtures.worker))
            await writer.unlock()
            #expect(try await looker.currentWriter() == .nobody)
            try await writer.lock(for: StoreFixtures.worker, waiting: .zero)
            await writer.unlock()
        },
        StoreCase("reads without the lock") { state in
            let (writer, reader) = (try await state.open(), try await state.open())
            try await writer.lock(for: StoreFixtures.worker, waiting: .zero)
            _ = try await writer.beginRun(StoreFixtures.worker)
            #expect(try await reader.appliedState().identity.serial == StateSerial(number: 1))
            await writer.unlock()
        },
    ]

    private static func lockAndDrop(_ state: StoreUnderTest) async throws {
        try await state.open().lock(for: StoreFixtures.worker, waiting: .zero)
    }
}

import State
import Testing

extension StoreConformance {
    static let lockCases = [
        StoreCase("one writer at a time, and the other learns who it is") { state in
            let (first, second) = (try state.open(), try state.open())
            try await first.lock(for: StoreFixtures.worker, waiting: .zero)
            await #expect(throws: StateStoreError.locked(holder: StoreFixtures.worker)) {
                try await second.lock(for: StoreFixtures.worker, waiting: .milliseconds(1))
            }
            first.unlock()
            try await second.lock(for: StoreFixtures.worker, waiting: .zero)
            second.unlock()
        },
        StoreCase("a waiting writer gets the lock when it is free") { state in
            let (first, second) = (try state.open(), try state.open())
            try await first.lock(for: StoreFixtures.worker, waiting: .zero)
            async let waited: Void = second.lock(for: StoreFixtures.worker, waiting: .seconds(60))
            await Task.yield()
            first.unlock()
            try await waited
            await #expect(throws: StateStoreError.self) {
                try await first.lock(for: StoreFixtures.worker, waiting: .zero)
            }
        },
        StoreCase("a cancelled task waits no longer") { state in
            let (first, second) = (try state.open(), try state.open())
            try await first.lock(for: StoreFixtures.worker, waiting: .zero)
            let waiting = Task {
                try await second.lock(for: StoreFixtures.worker, waiting: .seconds(3_600))
            }
            waiting.cancel()
            await #expect(throws: StateStoreError.self) { try await waiting.value }
            first.unlock()
        },
        StoreCase("a dropped store is no writer any more") { state in
            try await lockAndDrop(state)
            let store = try state.open()
            try await store.lock(for: StoreFixtures.worker, waiting: .zero)
            store.unlock()
            store.unlock()
        },
        StoreCase("whoever looks learns who writes, and takes nothing from him") { state in
            let (writer, looker) = (try state.open(), try state.open())
            #expect(try looker.currentWriter() == .nobody)
            try await writer.lock(for: StoreFixtures.worker, waiting: .zero)
            #expect(try looker.currentWriter() == .somebody(StoreFixtures.worker))
            #expect(try writer.currentWriter() == .somebody(StoreFixtures.worker))
            writer.unlock()
            #expect(try looker.currentWriter() == .nobody)
            try await writer.lock(for: StoreFixtures.worker, waiting: .zero)
            writer.unlock()
        },
        StoreCase("reading needs no lock") { state in
            let (writer, reader) = (try state.open(), try state.open())
            try await writer.lock(for: StoreFixtures.worker, waiting: .zero)
            _ = try writer.beginRun(StoreFixtures.worker)
            #expect(try reader.appliedState().identity.serial == StateSerial(number: 1))
            writer.unlock()
        },
    ]

    private static func lockAndDrop(_ state: StoreUnderTest) async throws {
        try await state.open().lock(for: StoreFixtures.worker, waiting: .zero)
    }
}

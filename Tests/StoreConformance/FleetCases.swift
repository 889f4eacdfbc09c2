import State
import Testing

extension StoreCases {
    static let fleetCases = [
        StoreCase("a new state has no fleet, also while a process sends from it") { state in
            let (store, other) = (try await state.open(), try await state.open())
            #expect(try await store.fleet() == .none)
            try await store.lock(for: StoreFixtures.worker, waiting: .zero)
            _ = try await StoreFixtures.openedUnit(store, count: 5)
            #expect(try await other.fleet().isEmpty)
            await store.unlock()
        }
    ]
}

import CampaignModel
package import State
package import Time

/// Records dead registrations under the writer's lock, which it holds only while it writes.
///
/// Another run may therefore send during a sweep. While it holds the lock, the registrations wait
/// for the next batch, or for the end.
package actor SweepRecorder {
    private let store: any SweepStore
    private let worker: Worker
    private let clock: WallClock
    private let patience: Duration
    private var waiting: [Fingerprint] = []
    private(set) var recorded = 0

    /// `patience`: how long the last record waits for the lock.
    package init(
        store: any SweepStore,
        worker: Worker,
        clock: WallClock,
        patience: Duration
    ) {
        self.store = store
        self.worker = worker
        self.clock = clock
        self.patience = patience
    }

    /// Records registrations as dead, unless another process holds the lock.
    func record(_ fingerprints: [Fingerprint]) async throws(StateStoreError) {
        waiting += fingerprints
        do throws(StateStoreError) {
            try await write(waiting: .zero)
        } catch {
            guard case .locked = error else { throw error }
        }
    }

    /// Records the rest.
    ///
    /// - Throws: `.locked` if another process holds the lock for too long.
    func finish() async throws(StateStoreError) { try await write(waiting: patience) }

    private func write(waiting time: Duration) async throws(StateStoreError) {
        guard !waiting.isEmpty else { return }
        try await store.lock(for: worker, waiting: time)
        let result: Result<Void, StateStoreError>
        do throws(StateStoreError) {
            if recorded == 0 { try await store.note(worker) }
            result = .success(try await store.markDead(waiting, at: clock.now()))
        } catch {
            result = .failure(error)
        }
        await store.unlock()
        try result.get()
        recorded += waiting.count
        waiting = []
    }
}

/// The ports of the state that a sweep uses.
package typealias SweepStore = ControlStore & DeadRegistrationStore

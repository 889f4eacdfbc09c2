package import State

/// The writer's lock of a state that can't be opened, or is not there.
///
/// Dropping it releases it.
package struct StateLock: ~Copyable, Sendable {
    private let lock: WriterLock

    /// `path`: of the state.
    package init(path: String) throws(StateStoreError) {
        try Files.makeFolder(Files.parent(of: path))
        lock = WriterLock(path: path + ".lock")
    }

    package func acquire(
        for worker: Worker,
        waiting: Duration
    ) async throws(StateStoreError) {
        try await lock.acquire(for: worker, waiting: waiting)
    }
}

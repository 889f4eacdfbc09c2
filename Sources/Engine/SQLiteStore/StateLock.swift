package import State

/// The write lock of a state that cannot be opened or does not exist.
///
/// Its deinitializer releases it.
package struct StateLock: ~Copyable, Sendable {
    private let lock: WriterLock

    /// `path`: the path of the state.
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

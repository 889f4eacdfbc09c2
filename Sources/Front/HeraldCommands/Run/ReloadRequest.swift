import Synchronization

/// A request to read the credential again before the next window.
///
/// A class, because the signal handler and the service share it.
final class ReloadRequest: Sendable {
    private let isRequested = Atomic(false)

    func request() { isRequested.store(true, ordering: .relaxed) }

    /// Returns whether there was a request, and removes it.
    func take() -> Bool { isRequested.exchange(false, ordering: .relaxed) }
}

import State
import Synchronization

/// The pauses as the occurrences of a run look at them, so that many of them read the state once.
///
/// A class, because all occurrences of a run share it.
final class SharedPauses: Sendable {
    private struct State {
        /// Nil before the first read.
        var pauses: [Pause]?
        var lastRead: Duration = .zero
        var isReading = false
    }

    private let state = Mutex(State())

    /// How long a result is used.
    private static let validity = Duration.milliseconds(250)

    /// Returns the pauses of the last quarter of a second, or the last ones while another caller reads
    /// them.
    func current(
        in store: any ControlStore,
        at now: Duration
    ) async throws(StateStoreError) -> [Pause] {
        let known = state.withLock { state -> [Pause]? in
            if let pauses = state.pauses,
                state.isReading || now - state.lastRead < Self.validity
            {
                return pauses
            }
            state.isReading = true
            return nil
        }
        if let known { return known }
        defer { state.withLock { $0.isReading = false } }
        let pauses = try await store.pauses()
        state.withLock { state in
            state.pauses = pauses
            state.lastRead = now
        }
        return pauses
    }
}

import Applying
import Synchronization

/// Collects the reasons for which the loop of a window continues.
///
/// A class, because the tasks of the window add reasons that one loop takes.
final class WindowInbox: Sendable {
    /// The events since the last call.
    struct Arrived: Sendable {
        /// The sends that ended, in order.
        var ended: [ShortSending.End] = []
        /// The end of the last timer that is over; nil if none is.
        var passed: Duration?

        var isEmpty: Bool { ended.isEmpty && passed == nil }
    }

    private struct State {
        var arrived = Arrived()
        var waiting: CheckedContinuation<Arrived, Never>?

        mutating func takeAll() -> Arrived {
            defer { arrived = Arrived() }
            return arrived
        }
    }

    private let state = Mutex(State())

    func post(_ ended: [ShortSending.End]) { put { $0.ended += ended } }

    /// A timer with this end is over.
    func pass(_ end: Duration) { put { $0.passed = max($0.passed ?? end, end) } }

    /// Waits for events; for a single loop only.
    func take() async -> Arrived {
        await withCheckedContinuation { caller in
            let arrived = state.withLock { state -> Arrived? in
                guard state.arrived.isEmpty else { return state.takeAll() }
                state.waiting = caller
                return nil
            }
            if let arrived { caller.resume(returning: arrived) }
        }
    }

    private func put(_ change: (inout Arrived) -> Void) {
        let woken = state.withLock { state -> (CheckedContinuation<Arrived, Never>, Arrived)? in
            change(&state.arrived)
            guard !state.arrived.isEmpty else { return nil }
            return state.waiting.take().map { ($0, state.takeAll()) }
        }
        if let (caller, arrived) = woken { caller.resume(returning: arrived) }
    }
}

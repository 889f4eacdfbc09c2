import Synchronization

/// Delays the records of complete sends while others are being started, whose first requests are more
/// urgent.
///
/// A class, because all sends of a window share it.
package final class StartGate: Sendable {
    private struct State {
        /// The number of tasks that start sends.
        var starting = 0
        var isClosed = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Whether no other send may be started.
    var isClosed: Bool { state.withLock(\.isClosed) }

    /// Whether no task starts sends.
    var isFree: Bool { state.withLock { $0.starting == 0 } }

    /// Prevents further starts.
    package func close() { state.withLock { $0.isClosed = true } }

    func begin() { state.withLock { $0.starting += 1 } }

    func end() {
        let waiting = state.withLock { state in
            state.starting -= 1
            guard state.starting == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiting = [] }
            return state.waiting
        }
        for caller in waiting { caller.resume() }
    }

    /// Returns when no task starts sends.
    func wait() async {
        await withCheckedContinuation { caller in
            let isFree = state.withLock { state in
                if state.starting > 0 { state.waiting.append(caller) }
                return state.starting == 0
            }
            if isFree { caller.resume() }
        }
    }
}

import Synchronization

/// Tells senders to start no more requests.
///
/// It is raised once and never reset. A class, because the signal handler and the dispatcher share
/// it.
package final class StopSignal: Sendable {
    private struct State {
        var isRaised = false
        var lastWaiter = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    package var isRaised: Bool { state.withLock(\.isRaised) }

    package func raise() {
        let waiters = state.withLock { state in
            state.isRaised = true
            defer { state.waiters = [:] }
            return state.waiters.values.map { $0 }
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when the signal is raised or the task is cancelled.
    package func wait() async {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.isRaised || Task.isCancelled { return true }
                    state.waiters[number] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
        }
    }
}

extension StopSignal {
    /// - Throws: `.interrupted` if a stop ended or preceded the pause.
    package func pause(for length: Duration) async throws(ApplyError) {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait() }
            group.addTask { try? await Task.sleep(for: length) }
            await group.next()
            group.cancelAll()
        }
        if isRaised { throw .interrupted }
    }
}

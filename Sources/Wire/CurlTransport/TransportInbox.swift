internal import HTTPTransport
internal import Synchronization

/// Passes submissions from callers to the transport's thread.
///
/// A class, because callers and the thread share it. One lock protects all its state and is never
/// held while a caller is resumed.
final class TransportInbox: Sendable {
    enum Event: Sendable {
        case submissions([Submission])
        case cancellation(ClosedRange<SubmissionID>)
    }

    private enum Phase {
        case open
        case closing
        case closed
        case ended
    }

    private struct State {
        var phase = Phase.open
        var events: [Event] = []
        var bell: WakeupHandle?
        var waitingForEnd: [CheckedContinuation<Void, Never>] = []
        var refusal = TransportError.shutDown
    }

    private let state = Mutex(State())
    /// Answers on their way to the callers.
    let landings = CompletedBatches()

    /// Why submissions fail after the mailbox was closed.
    var refusal: TransportError { state.withLock(\.refusal) }

    /// Returns false if the mailbox is closed.
    func post(_ event: Event) -> Bool {
        state.withLock { state in
            guard state.phase == .open else { return false }
            // If events are already waiting, the thread has been woken but has not run yet.
            let mustRing = state.events.isEmpty
            state.events.append(event)
            if mustRing { state.bell?.ring() }
            return true
        }
    }

    /// Makes the thread end.
    ///
    /// Events that were posted earlier fail as cancelled.
    func close() {
        state.withLock { state in
            guard state.phase == .open else { return }
            state.phase = .closing
            state.bell?.ring()
        }
    }

    func waitForEnd() async {
        await withCheckedContinuation { caller in
            let hasEnded = state.withLock { state in
                guard state.phase != .ended else { return true }
                state.waitingForEnd.append(caller)
                return false
            }
            if hasEnded { caller.resume() }
        }
    }
}

/// Functions for the thread.
extension TransportInbox {
    /// Sets the bell that wakes the thread on each post, until `closeForGood`.
    func hang(_ bell: WakeupHandle) {
        state.withLock { $0.bell = bell }
    }

    /// Returns the events since the last call, or nil if the thread must end.
    func takeEvents() -> [Event]? {
        state.withLock { state in
            guard state.phase == .open else { return nil }
            let events = state.events
            state.events.removeAll(keepingCapacity: true)
            return events
        }
    }

    /// Removes the bell and returns the remaining events; later submissions fail with the refusal.
    func closeForGood(refusal: TransportError = .shutDown) -> [Event] {
        state.withLock { state in
            state.phase = .closed
            state.refusal = refusal
            state.bell = nil
            let events = state.events
            state.events = []
            return events
        }
    }

    func confirmEnd() {
        let callers = state.withLock { state in
            state.phase = .ended
            let callers = state.waitingForEnd
            state.waitingForEnd = []
            return callers
        }
        for caller in callers { caller.resume() }
    }
}

internal import Synchronization

/// How callers reach the transport's thread.
///
/// A class, because callers and the thread share it. Everything in it is behind one lock, which is
/// never held while a caller is resumed.
final class Mailbox: Sendable {
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
        var bell: Bell?
        var waitingForEnd: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    /// What goes the other way.
    let landings = Landings()

    /// False when the mailbox no longer takes any.
    func post(_ event: Event) -> Bool {
        state.withLock { state in
            guard state.phase == .open else { return false }
            // With events already there, the thread has been rung and has not come yet.
            let mustRing = state.events.isEmpty
            state.events.append(event)
            if mustRing { state.bell?.ring() }
            return true
        }
    }

    /// Asks the thread to end.
    ///
    /// What was posted before this fails as cancelled.
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

/// The thread's side.
extension Mailbox {
    /// What rings from now on when something is posted, until `closeForGood`.
    func hang(_ bell: Bell) {
        state.withLock { $0.bell = bell }
    }

    /// What has been posted since the last time; nil when the thread must end.
    func takeEvents() -> [Event]? {
        state.withLock { state in
            guard state.phase == .open else { return nil }
            let events = state.events
            state.events.removeAll(keepingCapacity: true)
            return events
        }
    }

    /// Takes down the bell and returns what nobody has taken.
    func closeForGood() -> [Event] {
        state.withLock { state in
            state.phase = .closed
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

import HTTPTransport
import State
import Synchronization

/// Collects the events of an occurrence until its loop takes them.
///
/// A class, because the transport and the tasks of the occurrence add events that one loop takes.
final class DispatchInbox: AnswerReceiver {
    /// An event from a task.
    enum TaskResult: Sendable {
        case event(DispatchMachine.Event)
        case drainIsOver
        /// Whether the campaign, or everything, is paused.
        case looked(isPaused: Bool)
        /// The change that was being written to the state is now durable.
        case written
        /// The state could not be read or written.
        case failed(StateStoreError)
    }

    /// The events since the last call.
    struct Arrived: Sendable {
        var answers: [NumberedAnswer] = []
        var landings: [TaskResult] = []

        var isEmpty: Bool { answers.isEmpty && landings.isEmpty }
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

    func receive(_ answers: [NumberedAnswer]) {
        put { $0.answers += answers }
    }

    func post(_ landing: TaskResult) {
        put { $0.landings.append(landing) }
    }

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
            return state.waiting.take().map { ($0, state.takeAll()) }
        }
        if let (caller, arrived) = woken { caller.resume(returning: arrived) }
    }
}

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
        /// Why each open request is a repeat, if it is one.
        var causes: [Int: String] = [:]

        mutating func takeAll() -> Arrived {
            defer { arrived = Arrived() }
            return arrived
        }
    }

    private let state = Mutex(State())
    private let notes: (any FlightNotes)?

    /// Notes each request before it is written, and each answer when it is read.
    init(notes: (any FlightNotes)?) {
        self.notes = notes
    }

    /// Announces requests that are about to be sent again, with the reasons of their repeats.
    func expectRepeats(_ causes: [Int: String]) {
        state.withLock { $0.causes.merge(causes) { $1 } }
    }

    func willWrite(_ number: Int) {
        guard let notes else { return }
        let cause = state.withLock { $0.causes[number] }
        notes.note(.written(repeatedAfter: cause), of: number)
    }

    func read(_ answer: NumberedAnswer) {
        notes?.note(FlightEvent(answer.outcome), of: answer.number)
        state.withLock { state in
            state.arrived.answers.append(answer)
            if !state.causes.isEmpty { state.causes[answer.number] = nil }
        }
    }

    func deliver() {
        put { _ in }
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
            guard !state.arrived.isEmpty else { return nil }
            return state.waiting.take().map { ($0, state.takeAll()) }
        }
        if let (caller, arrived) = woken { caller.resume(returning: arrived) }
    }
}

extension FlightEvent {
    init(_ outcome: Result<HTTPAnswer, TransportError>) {
        switch outcome {
        case .success(let answer): self = .answered(status: answer.status, body: answer.body)
        case .failure(let error) where error.fate == .notSent: self = .unsent
        case .failure(let error): self = .unanswered(reason: error.detail)
        }
    }
}

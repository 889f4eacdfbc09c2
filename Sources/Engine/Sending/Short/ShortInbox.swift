import HTTPTransport
import State
import Synchronization

/// Collects the answers to a batch until its loop takes them.
///
/// Answers of success wait until `hurry`: the first requests of other occurrences are more urgent.
/// Answers for an occurrence that was handed over go to the inbox of its new loop. A class, because the
/// transport adds answers that one loop takes.
final class ShortInbox: AnswerReceiver {
    /// An answer to a request of an occurrence.
    struct LaneAnswer: Sendable {
        /// The index of the occurrence.
        let lane: Int
        /// With the number in its work unit.
        let answer: NumberedAnswer
    }

    /// The events since the last call.
    struct Arrived: Sendable {
        var answers: [LaneAnswer] = []
        /// Whether an interval has passed.
        var isTick = false
        /// Whether the run must end.
        var isStopped = false
    }

    private static let success = 200

    private struct State {
        var arrived = Arrived()
        var waiting: CheckedContinuation<Arrived, Never>?
        var heirs: [Int: DispatchInbox] = [:]
        /// Whether other work is more urgent than successful answers.
        var isPatient = true
        /// Whether another answer has arrived.
        var hasProblem = false
        /// The answers since the last call of `deliver`.
        var undelivered = 0

        /// Whether the loop continues.
        var isReady: Bool {
            arrived.isTick || arrived.isStopped || hasProblem
                || !isPatient && !arrived.answers.isEmpty
        }

        mutating func takeAll() -> Arrived {
            defer { (arrived, hasProblem) = (Arrived(), false) }
            return arrived
        }
    }

    private let state = Mutex(State())
    private let notes: [(any FlightNotes)?]
    private let arrived: @Sendable (Int) -> Void

    /// - Parameters:
    ///   - notes: Those of each occurrence.
    ///   - arrived: Gets the numbers of answers that wait here; a negative one if they go to another
    ///     inbox.
    init(notes: [(any FlightNotes)?], arrived: @escaping @Sendable (Int) -> Void) {
        self.notes = notes
        self.arrived = arrived
    }

    /// The number of a request among those of the batch.
    static func number(of request: Int, in lane: Int) -> Int {
        lane * ShortSend.mostRequests + request
    }

    func willWrite(_ number: Int) {
        let (lane, request) = number.quotientAndRemainder(dividingBy: ShortSend.mostRequests)
        notes[lane]?.note(.written(repeatedAfter: nil), of: request)
    }

    func read(_ answer: NumberedAnswer) {
        let (lane, request) = answer.number
            .quotientAndRemainder(dividingBy: ShortSend.mostRequests)
        notes[lane]?.note(FlightEvent(answer.outcome), of: request)
        let answer = NumberedAnswer(number: request, outcome: answer.outcome)
        let isSuccess = (try? answer.outcome.get().status) == Self.success
        let heir = state.withLock { state -> DispatchInbox? in
            if let heir = state.heirs[lane] { return heir }
            if !isSuccess { state.hasProblem = true }
            state.arrived.answers.append(LaneAnswer(lane: lane, answer: answer))
            state.undelivered += 1
            return nil
        }
        guard let heir else { return }
        heir.read(answer)
        heir.deliver()
    }

    func deliver() {
        let count = state.withLock { state in
            defer { state.undelivered = 0 }
            return state.undelivered
        }
        if count > 0 { arrived(count) }
        put { _ in }
    }

    /// No other work is more urgent.
    func hurry() { put { $0.isPatient = false } }

    /// An interval has passed.
    func tick() { put { $0.arrived.isTick = true } }

    /// The run must end.
    func stop() { put { $0.arrived.isStopped = true } }

    /// Passes the answers for an occurrence to another inbox from now on.
    func handOver(_ lane: Int, to heir: DispatchInbox) {
        let answers = state.withLock { state in
            state.heirs[lane] = heir
            let answers = state.arrived.answers.filter { $0.lane == lane }
            if !answers.isEmpty { state.arrived.answers.removeAll { $0.lane == lane } }
            return answers
        }
        guard !answers.isEmpty else { return }
        arrived(-answers.count)
        for answer in answers { heir.read(answer.answer) }
        heir.deliver()
    }

    /// Waits for events; for a single loop only.
    func take() async -> Arrived {
        await withCheckedContinuation { caller in
            let arrived = state.withLock { state -> Arrived? in
                if state.isReady { return state.takeAll() }
                state.waiting = caller
                return nil
            }
            if let arrived { caller.resume(returning: arrived) }
        }
    }

    private func put(_ change: (inout State) -> Void) {
        let woken = state.withLock { state -> (CheckedContinuation<Arrived, Never>, Arrived)? in
            change(&state)
            guard state.isReady else { return nil }
            return state.waiting.take().map { ($0, state.takeAll()) }
        }
        if let (caller, arrived) = woken { caller.resume(returning: arrived) }
    }
}

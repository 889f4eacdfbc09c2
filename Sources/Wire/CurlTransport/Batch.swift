internal import HTTPTransport
internal import Synchronization

/// Requests that were submitted together, with the answers that are ready for delivery.
///
/// A class, because each of its requests refers to it. Answers arrive one by one; `deliver` passes
/// all available answers to the receiver.
final class Batch: Sendable {
    private struct State {
        var landed: [NumberedAnswer] = []
        var open: Int
        var caller: CheckedContinuation<Void, Never>?
    }

    private let receiver: any AnswerReceiver
    private let landings: CompletedBatches
    private let state: Mutex<State>

    /// Resumes `caller` when the receiver has all `count` answers.
    init(
        of count: Int,
        to receiver: any AnswerReceiver,
        by landings: CompletedBatches,
        caller: CheckedContinuation<Void, Never>
    ) {
        self.receiver = receiver
        self.landings = landings
        state = Mutex(State(open: count, caller: caller))
    }

    func land(_ answer: NumberedAnswer) {
        let isFirst = state.withLock { state in
            state.landed.append(answer)
            return state.landed.count == 1
        }
        if isFirst { landings.note(self) }
    }

    fileprivate func deliver() {
        let (answers, caller) = state.withLock { state in
            let answers = state.landed
            state.landed = []
            state.open -= answers.count
            return (answers, state.open == 0 ? state.caller.take() : nil)
        }
        if !answers.isEmpty { receiver.receive(answers) }
        caller?.resume()
    }
}

/// The batches with undelivered answers.
///
/// A class, because the batches and the transport's thread share it.
final class CompletedBatches: Sendable {
    private let batches = Mutex<[Batch]>([])

    fileprivate func note(_ batch: Batch) {
        batches.withLock { $0.append(batch) }
    }

    /// Delivers all available answers.
    func deliver() {
        let batches = batches.withLock { batches in
            defer { batches = [] }
            return batches
        }
        for batch in batches { batch.deliver() }
    }
}

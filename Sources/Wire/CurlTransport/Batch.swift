internal import HTTPTransport
internal import Synchronization

/// Requests that were handed over together, and the answers to them that wait to be handed on.
///
/// A class, because each of its requests leads back to it. Answers land one by one; `deliver` hands
/// on what has landed.
final class Batch: Sendable {
    private struct State {
        var landed: [NumberedAnswer] = []
        var open: Int
        var caller: CheckedContinuation<Void, Never>?
    }

    private let receiver: any AnswerReceiver
    private let landings: Landings
    private let state: Mutex<State>

    /// `caller` is resumed when the receiver has been given all of `count` answers.
    init(
        _ count: Int,
        to receiver: any AnswerReceiver,
        by landings: Landings,
        _ caller: CheckedContinuation<Void, Never>
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

/// The batches with answers that were not handed on yet.
///
/// A class, because the batches and the transport's thread share it.
final class Landings: Sendable {
    private let batches = Mutex<[Batch]>([])

    fileprivate func note(_ batch: Batch) {
        batches.withLock { $0.append(batch) }
    }

    /// Hands on what has landed so far.
    func deliver() {
        let batches = batches.withLock { batches in
            defer { batches = [] }
            return batches
        }
        for batch in batches { batch.deliver() }
    }
}

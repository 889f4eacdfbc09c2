internal import HTTPTransport
internal import Synchronization

/// Requests that were submitted together.
///
/// A class, because each of its requests refers to it. Answers arrive one by one. At the
/// end of each turn of the transport's thread, `deliver` makes the receiver process them together.
final class Batch: Sendable {
    private struct State {
        /// Number of answers since the last delivery.
        var landed = 0
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

    func willWrite(_ number: Int) {
        receiver.willWrite(number)
    }

    func land(_ answer: NumberedAnswer) {
        receiver.read(answer)
        let isFirst = state.withLock { state in
            state.landed += 1
            return state.landed == 1
        }
        if isFirst { landings.note(self) }
    }

    fileprivate func deliver() {
        let (count, caller) = state.withLock { state in
            let count = state.landed
            state.landed = 0
            state.open -= count
            return (count, state.open == 0 ? state.caller.take() : nil)
        }
        if count > 0 { receiver.deliver() }
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

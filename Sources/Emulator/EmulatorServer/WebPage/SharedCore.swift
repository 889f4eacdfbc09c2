import NIOCore
import Synchronization

/// The core that all connections share, hence a class.
final class SharedCore: Sendable {
    private let core: Mutex<EmulatorCore>
    private let watch = ChangeWatch()
    /// Delay after a change, which combines several changes into one answer.
    private static let gathering = TimeAmount.milliseconds(30)
    /// Interval of checks for changes that are only due to the clock, while queries wait.
    private static let interval = TimeAmount.seconds(1)

    init(_ core: consuming sending EmulatorCore) {
        self.core = Mutex(core)
    }

    func take(_ request: EmulatorRequest) -> RenderedAnswer {
        var answer = core.withLock { $0.take(request) }
        if let patience = answer.patience {
            let end = NIODeadline.now() + .milliseconds(patience)
            answer.patience = nil
            let early = answer
            answer.later = { loop in self.ask(request, again: early, until: end, loop) }
        }
        return answer
    }

    func settle() -> UnrecordedAnswers? {
        let (lost, hasNews) = core.withLock { core in (core.settle(), core.takeNews()) }
        if hasNews { watch.wake() }
        return lost
    }

    /// Answers all waiting queries and accepts no more.
    func close() { watch.close() }

    /// Repeats a query until it has changes or its time is over.
    private func ask(
        _ request: EmulatorRequest,
        again last: RenderedAnswer,
        until end: NIODeadline,
        _ loop: any EventLoop
    ) -> EventLoopFuture<RenderedAnswer> {
        let rest = end - .now()
        guard rest > .nanoseconds(0),
            let next = watch.next(within: min(rest, Self.interval), on: loop)
        else { return loop.makeSucceededFuture(last) }
        return next.flatMap {
            loop.scheduleTask(in: Self.gathering) {}.futureResult
        }.flatMap {
            var answer = self.core.withLock { $0.take(request) }
            guard answer.patience != nil else { return loop.makeSucceededFuture(answer) }
            answer.patience = nil
            return self.ask(request, again: answer, until: end, loop)
        }
    }
}

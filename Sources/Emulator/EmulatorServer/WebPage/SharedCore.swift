import NIOCore
import Synchronization

/// What the connections share; a class so that every one of them has the same.
final class SharedCore: Sendable {
    private let core: Mutex<EmulatorCore>
    private let watch = ChangeWatch()
    /// What happens within this time is told together.
    private static let gathering = TimeAmount.milliseconds(30)
    /// What falls due by the clock alone is looked for this often while somebody waits.
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

    func settle() -> LostAnswers? {
        let (lost, hasNews) = core.withLock { core in (core.settle(), core.takeNews()) }
        if hasNews { watch.wake() }
        return lost
    }

    /// Answers every question that waits, and lets no other one wait.
    func close() { watch.close() }

    /// The answer once there is something in it, or as it is when the time is over.
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

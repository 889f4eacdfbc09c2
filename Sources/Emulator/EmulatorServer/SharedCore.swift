import EmulatorAPI
import NIOCore
import NIOPosix
import Synchronization

/// The core that all connections share, hence a class.
final class SharedCore: Sendable {
    private let core: Mutex<EmulatorCore>
    private let watch = ChangeWatch()
    /// Called after changes, outside of the core's lock.
    private let observer = Mutex<(@Sendable () -> Void)?>(nil)
    /// Delay after a change, which combines several changes into one answer.
    private static let gathering = TimeAmount.milliseconds(30)
    /// Interval of checks for changes that are only due to the clock, while queries wait.
    private static let interval = TimeAmount.seconds(1)

    init(_ core: consuming sending EmulatorCore) {
        self.core = Mutex(core)
    }

    func take(_ request: EmulatorRequest) -> RenderedAnswer {
        core.withLock { $0.take(request) }
    }

    func settle() -> UnrecordedAnswers? {
        let (lost, hasNews) = core.withLock { core in (core.settle(), core.takeNews()) }
        if hasNews {
            watch.wake()
            observer.withLock { $0 }?()
        }
        return lost
    }

    func observe(_ body: @escaping @Sendable () -> Void) { observer.withLock { $0 = body } }

    /// Uses the core; the caller settles the requests that it passed.
    func use<Value: Sendable>(_ body: (inout EmulatorCore) -> Value) -> Value {
        core.withLock { body(&$0) }
    }

    /// Answers all waiting queries and accepts no more.
    func close() { watch.close() }

    /// Repeats a query until it has changes or its time is over; `early` is its first answer.
    func repeating(
        _ query: RepeatedQuery,
        after early: RenderedAnswer,
        on loop: any EventLoop
    ) -> EventLoopFuture<RenderedAnswer> {
        let end = NIODeadline.now() + .milliseconds(query.milliseconds)
        return ask(query.request, again: early, until: end, on: loop)
    }

    private func ask(
        _ request: EmulatorRequest,
        again last: RenderedAnswer,
        until end: NIODeadline,
        on loop: any EventLoop
    ) -> EventLoopFuture<RenderedAnswer> {
        let rest = end - .now()
        guard rest > .nanoseconds(0) else {
            guard let final = last.repetition?.last else { return loop.makeSucceededFuture(last) }
            return answer(final, on: loop)
        }
        guard let next = watch.next(within: min(rest, Self.interval), on: loop) else {
            return loop.makeSucceededFuture(last)
        }
        return next.flatMap {
            loop.scheduleTask(in: Self.gathering) {}.futureResult
        }.flatMap {
            self.answer(request, on: loop)
        }.flatMap { answer in
            guard let next = answer.repetition else { return loop.makeSucceededFuture(answer) }
            return self.ask(next.request, again: answer, until: end, on: loop)
        }
    }

    /// Answers a request, on another thread if it would block the loop for too long.
    private func answer(
        _ request: EmulatorRequest,
        on loop: any EventLoop
    ) -> EventLoopFuture<RenderedAnswer> {
        let answer = core.withLock { $0.take(request) }
        guard let completion = answer.completion else { return loop.makeSucceededFuture(answer) }
        return NIOSingletons.posixBlockingThreadPool.runIfActive(eventLoop: loop, completion)
    }
}

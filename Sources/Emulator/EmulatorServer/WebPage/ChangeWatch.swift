import NIOCore
import Synchronization

/// Wakes the questions that wait until something happens.
///
/// A class so that every connection has the same.
final class ChangeWatch: Sendable {
    private struct Waiting {
        var promises: [Int: EventLoopPromise<Void>] = [:]
        var count = 0
        var isClosed = false
    }

    /// So many wait at once; others have their answer as it is.
    private static let limit = 64
    private let waiting = Mutex(Waiting())

    /// Something happened.
    func wake() {
        for promise in takeAll(closing: false) { promise.succeed() }
    }

    /// Nobody waits any more, nor will.
    func close() {
        for promise in takeAll(closing: true) { promise.succeed() }
    }

    private func takeAll(closing: Bool) -> [EventLoopPromise<Void>] {
        waiting.withLock { waiting in
            if closing { waiting.isClosed = true }
            guard !waiting.promises.isEmpty else { return [] }
            defer { waiting.promises = [:] }
            return Array(waiting.promises.values)
        }
    }

    /// Completes when something happens, or when the time is over; nil where nobody may wait.
    func next(within time: TimeAmount, on loop: any EventLoop) -> EventLoopFuture<Void>? {
        let entered = waiting.withLock { waiting -> (number: Int, future: EventLoopFuture<Void>)? in
            guard !waiting.isClosed, waiting.promises.count < Self.limit else { return nil }
            let promise = loop.makePromise(of: Void.self)
            waiting.count += 1
            waiting.promises[waiting.count] = promise
            return (waiting.count, promise.futureResult)
        }
        guard let entered else { return nil }
        let timer = loop.scheduleTask(in: time) { self.end(entered.number) }
        entered.future.whenComplete { _ in timer.cancel() }
        return entered.future
    }

    private func end(_ number: Int) {
        waiting.withLock { $0.promises.removeValue(forKey: number) }?.succeed()
    }
}

import NIOCore
import Synchronization

/// Wakes the queries that wait for changes.
///
/// A class, so that all connections share it.
final class ChangeWatch: Sendable {
    private struct Waiting {
        var promises: [Int: EventLoopPromise<Void>] = [:]
        var count = 0
        var isClosed = false
    }

    /// Maximum number of waiting queries; further ones are answered immediately.
    private static let limit = 1_024
    private let waiting = Mutex(Waiting())

    /// Wakes all waiting queries.
    func wake() {
        for promise in takeAll(closing: false) { promise.succeed() }
    }

    /// Wakes all waiting queries and accepts no more.
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

    /// Returns a future that completes at the next change or after `time`, or nil if no more
    /// queries may wait.
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

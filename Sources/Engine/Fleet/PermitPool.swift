/// Grants permits for requests without a recorded outcome, which are a stock and not a rate.
///
/// A permit returns by a commit of its holder, or by the takeover that made its request unknown, and
/// never by time. The rows of the workers are the pool; the writer only adds to them.
package struct PermitPool: Hashable, Sendable {
    /// `max_unknown`.
    private let stock: Int

    package init(stock: Int) { self.stock = stock }

    /// The number of permits of each worker if this number of workers asks.
    ///
    /// `idle`: the permits of other workers. A worker that was killed keeps its permits until another one
    /// takes over its units.
    package func share(of workers: Int, besides idle: Int = 0) -> Int {
        max(1, (stock - idle) / max(1, workers))
    }

    /// Returns the permits to add for each worker.
    ///
    /// `held`: the permits of all rows. `wanted`: the number that each asking worker can use.
    package func grants(
        held: [(worker: WorkerID, permits: Int)],
        wanted: [(worker: WorkerID, count: Int)]
    ) -> [WorkerID: Int] {
        var rest = stock - held.reduce(0) { $0 + $1.permits }
        let share = share(of: wanted.count)
        let before = Dictionary(held.map { ($0.worker, $0.permits) }) { $0 + $1 }
        var grants: [WorkerID: Int] = [:]
        for (worker, count) in wanted where rest > 0 {
            let added = min(min(count, share) - (before[worker] ?? 0), rest)
            guard added > 0 else { continue }
            grants[worker] = added
            rest -= added
        }
        return grants
    }
}

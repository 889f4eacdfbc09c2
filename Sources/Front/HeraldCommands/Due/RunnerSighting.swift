import RunControl
import State
import Time

/// Records that this process sends what is due, or waits as a standby, so that `apply` and `status`
/// know of it.
struct RunnerSighting {
    private let run: DueRun
    private let isStandby: Bool
    private var last: Duration?

    /// The least time between two records of a service.
    static let interval = Duration.seconds(60)

    /// That of a standby, whose records make the active service plan again.
    static let standbyInterval = Duration.seconds(600)

    init(_ run: DueRun, isStandby: Bool = false) {
        self.run = run
        self.isStandby = isStandby
    }

    /// Records it, unless that was done within the last interval.
    ///
    /// A state that cannot be written is reported when something is sent.
    ///
    /// - Returns: The versions of the state just before and after the record; nil without one.
    @discardableResult
    mutating func note() async -> (before: StateVersion, after: StateVersion)? {
        let now = run.steady.now
        let interval = isStandby ? Self.standbyInterval : Self.interval
        if let last, now - last < interval { return nil }
        last = now
        let worker = run.worker
        return try? await run.target.store.note(
            Runner(
                command: worker.command,
                host: worker.host,
                processID: worker.processID,
                since: worker.since,
                lastSeen: run.session.clock.now(),
                readsLists: run.target.listDirectory != nil,
                isStandby: isStandby
            )
        )
    }
}

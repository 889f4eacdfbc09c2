import RunControl
import State
import Time

/// Records that this process sends what is due, so that `apply` and `status` know of a runner.
struct RunnerSighting {
    private let run: DueRun
    private var last: Duration?

    /// The least time between two records of a service.
    static let interval = Duration.seconds(60)

    init(_ run: DueRun) {
        self.run = run
    }

    /// Records it, unless that was done within the last minute.
    ///
    /// A state that cannot be written is reported when something is sent.
    ///
    /// - Returns: The versions of the state just before and after the record; nil without one.
    @discardableResult
    mutating func note() async -> (before: StateVersion, after: StateVersion)? {
        let now = run.steady.now
        if let last, now - last < Self.interval { return nil }
        last = now
        let worker = run.worker
        return try? await run.target.store.note(
            Runner(
                command: worker.command,
                host: worker.host,
                processID: worker.processID,
                since: worker.since,
                lastSeen: run.session.clock.now(),
                readsLists: run.target.listDirectory != nil
            )
        )
    }
}

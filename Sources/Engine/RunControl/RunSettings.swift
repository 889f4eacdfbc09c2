package import FCMClient
package import HTTPTransport
package import RateControl
package import Time

/// How the parts of a run reach FCM, stop and report.
package struct RunSettings: Sendable {
    package let transport: any Transport
    package let endpoint: FCMEndpoint
    package let clock: WallClock
    package let stop: StopSignal
    /// How long open requests may take after a stop.
    package let drainLimit: Duration
    package let backoff: Backoff
    /// The maximum number of open requests.
    ///
    /// During a send, the released mark is at most twice this number above the recorded outcomes.
    package let parallelism: Int
    package let report: @Sendable (ApplyEvent) -> Void

    package static let standardParallelism = 64

    package init(
        transport: any Transport,
        endpoint: FCMEndpoint,
        clock: WallClock,
        stop: StopSignal,
        drainLimit: Duration = .zero,
        backoff: Backoff = .standard,
        parallelism: Int = Self.standardParallelism,
        report: @escaping @Sendable (ApplyEvent) -> Void = { _ in }
    ) {
        self.transport = transport
        self.endpoint = endpoint
        self.clock = clock
        self.stop = stop
        self.drainLimit = drainLimit
        self.backoff = backoff
        self.parallelism = parallelism
        self.report = report
    }

    /// The same settings with a transport that renews a rejected access token.
    package var renewing: RunSettings {
        with(endpoint.renewing(transport), stop: stop)
    }

    /// The same settings for a part of the run that another signal can stop.
    package func stopping(at stop: StopSignal) -> RunSettings { with(transport, stop: stop) }

    private func with(_ transport: any Transport, stop: StopSignal) -> RunSettings {
        RunSettings(
            transport: transport,
            endpoint: endpoint,
            clock: clock,
            stop: stop,
            drainLimit: drainLimit,
            backoff: backoff,
            parallelism: parallelism,
            report: report
        )
    }
}

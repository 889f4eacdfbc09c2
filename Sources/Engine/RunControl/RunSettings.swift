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
    /// The number of open requests of a send.
    package let open: OpenLimit
    package let report: @Sendable (ApplyEvent) -> Void

    package init(
        transport: any Transport,
        endpoint: FCMEndpoint,
        clock: WallClock,
        stop: StopSignal,
        drainLimit: Duration = .zero,
        backoff: Backoff = .standard,
        open: OpenLimit = OpenLimit(fixed: OpenLimit.standardStart),
        report: @escaping @Sendable (ApplyEvent) -> Void = { _ in }
    ) {
        self.transport = transport
        self.endpoint = endpoint
        self.clock = clock
        self.stop = stop
        self.drainLimit = drainLimit
        self.backoff = backoff
        self.open = open
        self.report = report
    }

    /// The number of open requests that are not sends.
    package var parallelism: Int { open.start }

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
            open: open,
            report: report
        )
    }
}

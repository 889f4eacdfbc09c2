import CampaignModel
import RunControl
package import Service
import State
package import Time

/// Renders the metrics of a service for Prometheus.
package struct MetricsView: Sendable {
    private let release: String
    private let commit: String

    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    package init(release: String, commit: String) {
        self.release = release
        self.commit = commit
    }

    /// Writes every metric of a service.
    ///
    /// `steady`: the time of the clock that never jumps.
    package func render(_ status: ServiceStatus, at now: Instant, steady: Duration) -> String {
        let families =
            process(status) + health(status, steady: steady) + state(status.metrics, at: now)
            + sends(status) + notifications(status)
        let shared = [(name: "environment", value: status.environment.rawValue)]
        return families.filter { !$0.samples.isEmpty }
            .map { $0.text(with: $0.name.hasPrefix("herald_") ? shared : []) }.joined()
    }

    private func process(_ status: ServiceStatus) -> [MetricFamily] {
        [
            MetricFamily(.gauge, "herald_build_info", about: "Version of the program; always 1.")
                .sample(1, [("version", release), ("commit", commit)]),
            MetricFamily(
                .gauge,
                "process_start_time_seconds",
                about: "Unix time at which the process started."
            ).sample(status.started.secondsSince1970),
        ]
    }

    private func health(_ status: ServiceStatus, steady: Duration) -> [MetricFamily] {
        let standing = Set(status.health.standing.map(\.problem))
        return [
            MetricFamily(
                .gauge,
                "herald_ready",
                about: "Whether due sends can go out, as in /readyz."
            ).sample(status.health.isReady ? 1 : 0),
            MetricFamily(
                .gauge,
                "herald_standby",
                about: "Whether another service sends, and this one takes over when it ends."
            ).sample(status.active == nil ? 0 : 1),
            MetricFamily(
                .gauge,
                "herald_problem",
                about: "Whether a problem keeps the service from being ready."
            ).samples(of: "problem", ServiceProblem.allCases) { standing.contains($0) ? 1 : 0 },
            MetricFamily(
                .gauge,
                "herald_loop_silence_seconds",
                about: "Time since the service last made progress."
            ).sample(max(0, status.pulse.silence(at: steady) / .seconds(1))),
            MetricFamily(
                .counter,
                "herald_credential_reloads_total",
                about: "Requests to read the credential again (SIGHUP)."
            ).sample(status.metrics.reloads),
            MetricFamily(
                .counter,
                "herald_token_renewals_total",
                about: "Access tokens that replaced one during a send."
            ).sample(status.metrics.renewedTokens),
        ]
    }

    private func state(_ metrics: ServiceMetrics, at now: Instant) -> [MetricFamily] {
        let outlook = metrics.outlook
        return [
            MetricFamily(
                .gauge,
                "herald_pending_occurrences",
                about: "Occurrences in the state that are not finished."
            )
            .sample(outlook.scheduled, [("state", "scheduled")])
            .sample(outlook.held, [("state", "held")])
            .sample(outlook.stopped, [("state", "stopped")])
            .sample(outlook.paused, [("state", "paused")]),
            MetricFamily(
                .gauge,
                "herald_due_lag_seconds",
                about: "Time since the oldest due time of a send that could go out; 0 if none."
            ).sample(metrics.dueLag(at: now)),
            Self.time(
                "herald_next_due_timestamp_seconds",
                of: outlook.next,
                about: "Unix time of the next due send."
            ),
            Self.time(
                "herald_last_look_timestamp_seconds",
                of: metrics.lastLook,
                about: "Unix time at which the state was last read."
            ),
            Self.time(
                "herald_last_run_timestamp_seconds",
                of: metrics.lastRun,
                about: "Unix time at which the last run of this process ended."
            ),
        ]
    }

    private func sends(_ status: ServiceStatus) -> [MetricFamily] {
        let metrics = status.metrics
        return [
            ServiceMetrics.outcomes.reduce(
                MetricFamily(
                    .counter,
                    "herald_requests_total",
                    about: "Requests to FCM by final outcome."
                )
            ) { $0.sample(metrics.requests[$1], [("outcome", $1.label)]) },
            MetricFamily(
                .counter,
                "herald_occurrences_total",
                about: "Occurrences that ended or stopped, by result."
            ).samples(of: "result", ServiceMetrics.OccurrenceResult.allCases) {
                metrics.occurrences[$0] ?? 0
            },
            MetricFamily(
                .counter,
                "herald_windows_total",
                about: "Windows in which the service held the lock, by result."
            ).samples(of: "result", ServiceMetrics.WindowResult.allCases) {
                metrics.windows[$0] ?? 0
            },
            MetricFamily(
                .counter,
                "herald_pauses_total",
                about: "Pauses of a send, by reason."
            ).samples(of: "reason", PauseReason.allCases) { metrics.pauses[$0] ?? 0 },
            MetricFamily(
                .gauge,
                "herald_open_requests",
                about: "Requests that have no answer yet."
            ).sample(status.openRequests),
            MetricFamily(
                .gauge,
                "herald_pace_requests_per_second",
                about: "Maximum rate of sends."
            ).sample(Double(status.pace.sendsPerMinute) / 60),
        ]
    }

    private func notifications(_ status: ServiceStatus) -> [MetricFamily] {
        [
            MetricFamily(
                .counter,
                "herald_notifications_total",
                about: "Attempts to deliver a notification to the webhook, by result."
            ).samples(of: "result", ServiceMetrics.NotificationResult.allCases) {
                status.metrics.notifications[$0] ?? 0
            },
            MetricFamily(
                .gauge,
                "herald_pending_notifications",
                about: "Notifications that are not delivered yet."
            ).sample(status.waitingNotifications),
        ]
    }

    /// Without a sample if the time is unknown.
    private static func time(_ name: String, of time: Instant?, about: String) -> MetricFamily {
        let family = MetricFamily(.gauge, name, about: about)
        return time.map { family.sample($0.secondsSince1970) } ?? family
    }
}

extension Outcome {
    /// The value of the label `outcome`.
    fileprivate var label: String {
        switch self {
        case .intended: "intended"
        case .accepted: "accepted"
        case .rejected: "rejected"
        case .unknown: "unknown"
        case .expired: "expired"
        case .suppressed: "suppressed"
        case .cancelled: "cancelled"
        case .returned: "returned"
        }
    }
}

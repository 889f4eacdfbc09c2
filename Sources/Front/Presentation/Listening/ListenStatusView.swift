import Inbox
import JSON
package import Listening
package import Time

/// Renders the health and the metrics of a listener.
package struct ListenStatusView: Sendable {
    private let release: String
    private let environment: String
    private let started: Instant

    package static let contentType = MetricsView.contentType

    package init(release: String, environment: String, started: Instant) {
        self.release = release
        self.environment = environment
        self.started = started
    }

    /// The answer of `/readyz`.
    package static func renderReadiness(_ status: ListenStatus) -> String {
        let object: JSONValue
        if let problem = status.problem {
            object = ["status": "not ready", "problem": .string(problem.rawValue)]
        } else {
            object = ["status": "ready"]
        }
        return object.compactText + "\n"
    }

    /// The answer of `/metrics`, for Prometheus.
    ///
    /// `unacknowledged`: messages that arrived over XMPP and wait.
    package func renderMetrics(_ status: ListenStatus, unacknowledged: Int) -> String {
        let families =
            process(status) + messages(status) + connections(status, unacknowledged: unacknowledged)
        let shared = [(name: "environment", value: environment)]
        return families.filter { !$0.samples.isEmpty }
            .map { $0.text(with: $0.name.hasPrefix("herald_") ? shared : []) }.joined()
    }

    private func process(_ status: ListenStatus) -> [MetricFamily] {
        [
            MetricFamily(.gauge, "herald_build_info", about: "Version of the program; always 1.")
                .sample(1, [("version", release)]),
            MetricFamily(
                .gauge,
                "process_start_time_seconds",
                about: "Unix time at which the process started."
            ).sample(started.secondsSince1970),
            MetricFamily(
                .gauge,
                "herald_ready",
                about: "Whether messages are received and stored, as in /readyz."
            ).sample(status.problem == nil ? 1 : 0),
        ]
    }

    private func messages(_ status: ListenStatus) -> [MetricFamily] {
        var stored = MetricFamily(
            .counter,
            "herald_upstream_messages_total",
            about: "Messages of devices, by what the inbox did with them."
        )
        var refused = MetricFamily(
            .counter,
            "herald_upstream_refused_total",
            about: "Messages that were not stored and not acknowledged, by reason."
        )
        for transport in UpstreamTransport.allCases {
            let counts = status.counts[transport] ?? StoredCounts()
            for (result, count) in [
                ("stored", counts.stored), ("duplicate", counts.duplicates),
                ("conflict", counts.conflicts),
            ] {
                stored = stored.sample(
                    count,
                    [("transport", transport.name), ("result", result)]
                )
            }
            for (name, count) in (status.refused[transport] ?? [:]).sorted(by: { $0.key < $1.key })
            {
                refused = refused.sample(count, [("transport", transport.name), ("reason", name)])
            }
        }
        return [
            stored, refused,
            MetricFamily(
                .counter,
                "herald_upstream_failed_commits_total",
                about: "Commits of the inbox that failed; their messages were not acknowledged."
            ).sample(status.failedCommits),
        ]
    }

    private func connections(
        _ status: ListenStatus,
        unacknowledged: Int
    ) -> [MetricFamily] {
        [
            MetricFamily(
                .gauge,
                "herald_xmpp_connections",
                about: "Connections that can receive messages."
            ).sample(status.openConnections),
            MetricFamily(
                .gauge,
                "herald_xmpp_unacknowledged",
                about: "Messages that arrived over XMPP and are not acknowledged yet."
            ).sample(unacknowledged),
            MetricFamily(
                .counter,
                "herald_xmpp_acknowledged_total",
                about: "Acknowledgements that were sent."
            ).sample(status.acknowledged),
            MetricFamily(
                .counter,
                "herald_xmpp_opened_total",
                about: "Connections that were opened."
            ).sample(status.opened),
            MetricFamily(
                .counter,
                "herald_xmpp_drained_total",
                about: "Orders of the server to drain a connection."
            ).sample(status.drained),
            samples(
                of: "end",
                status.ended,
                in: MetricFamily(
                    .counter,
                    "herald_xmpp_ended_total",
                    about: "Connections that ended or could not be opened, by reason."
                )
            ),
            samples(
                of: "code",
                status.refusedByServer,
                in: MetricFamily(
                    .counter,
                    "herald_xmpp_refused_total",
                    about: "Stanzas that the server refused, by code."
                )
            ),
            MetricFamily(
                .counter,
                "herald_xmpp_ignored_total",
                about: "Stanzas without a meaning for an app server."
            ).sample(status.ignored),
        ]
    }

    private func samples(
        of label: String,
        _ counts: [String: Int],
        in family: MetricFamily
    ) -> MetricFamily {
        counts.sorted { $0.key < $1.key }
            .reduce(family) { $0.sample($1.value, [(label, $1.key)]) }
    }
}

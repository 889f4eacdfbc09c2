import CampaignModel
import JSON
import Presentation
import RunControl
import Service
import State
import Testing
import Time

struct ServiceViewTests {
    private static let start = Instant(secondsSince1970: 1_800_000_000)

    private static func status() throws -> ServiceStatus {
        ServiceStatus(
            of: try #require(EnvironmentID("production")),
            pace: .standard,
            at: start,
            steady: .seconds(100)
        )
    }

    private static func occurrence() throws -> OccurrenceID {
        OccurrenceID(campaign: try #require(CampaignID("tide")), slot: .once, revision: 1)
    }

    private static func metrics(_ status: ServiceStatus) -> [Substring] {
        MetricsView(release: "0.1.0", commit: "1f0c\"a\\b")
            .render(status, at: start.advanced(bySeconds: 60), steady: .milliseconds(102_500))
            .split(separator: "\n")
    }

    @Test func `metrics have a help text, a type and the environment`() throws {
        let lines = Self.metrics(try Self.status())
        #expect(
            lines.first == "# HELP herald_build_info Version of the program; always 1."
        )
        #expect(lines.contains("# TYPE herald_requests_total counter"))
        #expect(
            lines.contains(#"herald_requests_total{environment="production",outcome="accepted"} 0"#)
        )
        #expect(lines.contains("process_start_time_seconds 1800000000"))
        #expect(
            lines.contains(#"herald_problem{environment="production",problem="starting"} 1"#)
        )
        #expect(lines.contains(#"herald_ready{environment="production"} 0"#))
        #expect(lines.contains(#"herald_loop_silence_seconds{environment="production"} 2.5"#))
        #expect(
            lines.contains(#"herald_pace_requests_per_second{environment="production"} 10000"#)
        )
    }

    @Test func `values of labels are escaped`() throws {
        let build = Self.metrics(try Self.status()).first { $0.hasPrefix("herald_build_info") }
        #expect(
            build
                == #"herald_build_info{environment="production",version="0.1.0",commit="1f0c\"a\\b"} 1"#
        )
    }

    @Test func `a time that is unknown has no sample`() throws {
        var status = try Self.status()
        #expect(
            !Self.metrics(status).contains { $0.contains("herald_next_due_timestamp_seconds") }
        )
        status.metrics.looked(
            ServiceMetrics.Outlook(
                scheduled: 2,
                held: 1,
                stopped: 0,
                paused: 0,
                next: Self.start.advanced(bySeconds: 3_600),
                oldestDue: Self.start
            ),
            at: Self.start
        )
        let lines = Self.metrics(status)
        #expect(
            lines.contains(
                #"herald_next_due_timestamp_seconds{environment="production"} 1800003600"#
            )
        )
        #expect(lines.contains(#"herald_due_lag_seconds{environment="production"} 60"#))
        #expect(
            lines.contains(#"herald_pending_occurrences{environment="production",state="held"} 1"#)
        )
    }

    @Test func `readiness names each problem with its reason`() throws {
        var health = ServiceHealth(at: Self.start)
        #expect(
            HealthView.renderReadiness(health) == """
                {"status":"not ready","problems":[{"problem":"starting",\
                "since":"2027-01-15T08:00:00Z","message":"the state was not read yet"}]}

                """
        )
        _ = health.receive(.looked(isIdle: true), at: Self.start)
        #expect(HealthView.renderReadiness(health) == "{\"status\":\"ready\",\"problems\":[]}\n")
        _ = health.receive(.token(failure: "no token\u{1B}[31m"), at: Self.start)
        let text = HealthView.renderReadiness(health)
        #expect(text.contains(#""problem":"credential""#))
        #expect(!text.contains("\u{1B}"))
    }

    private static let worker = Worker(
        command: "herald run",
        user: "ada\u{1B}[31m",
        host: "desk",
        processID: 4_711,
        since: start
    )

    @Test func `a standby names the active service`() throws {
        var health = ServiceHealth(at: Self.start)
        _ = health.receive(.held(stuck: nil), at: Self.start)
        let active = StandbyMachine.Holder(Self.worker, isStopped: false)
        let body = HealthView.renderReadiness(health, active: active)
        #expect(body.hasPrefix(#"{"status":"standby","problems":[],"active":{"stopped":false,"#))
        #expect(body.contains(#""process":4711,"since":"2027-01-15T08:00:00Z"}"#))
        let unknown = StandbyMachine.Holder(nil, isStopped: false)
        #expect(
            HealthView.renderReadiness(health, active: unknown)
                == "{\"status\":\"standby\",\"problems\":[],\"active\":{\"stopped\":false}}\n"
        )
        var status = try Self.status()
        #expect(Self.metrics(status).contains(#"herald_standby{environment="production"} 0"#))
        status.active = active
        #expect(Self.metrics(status).contains(#"herald_standby{environment="production"} 1"#))
    }

    @Test func `the log says for which process the service waits, and whether it is stopped`() {
        let running = StandbyMachine.Holder(Self.worker, isStopped: false)
        let entry = ServiceLogEntry.waiting(for: running, with: .role)
        #expect(entry.event == .standby)
        #expect(entry.level == .info)
        #expect(entry.isInText)
        #expect(entry.message.contains("process 4711, since 2027-01-15T08:00:00Z"))
        #expect(entry.message.hasPrefix("Standby: `herald run` by ada"))
        #expect(!entry.message.contains("\u{1B}"))
        let stopped = ServiceLogEntry.waiting(
            for: StandbyMachine.Holder(Self.worker, isStopped: true),
            with: .lock
        )
        #expect(stopped.event == .locked)
        #expect(stopped.level == .warning)
        #expect(stopped.message.contains("is stopped, for example by SIGSTOP"))
        #expect(
            ServiceLogEntry.ended(.role, after: .seconds(20)).message
                == "No longer a standby (after 20 s): this service sends now"
        )
        let line = ServiceLogJSON.line(entry, in: nil, at: Self.start)
        #expect(line.contains(#""holder":{"stopped":false,"command":"herald run""#))
    }

    @Test func `a line of the log is one object`() throws {
        let entry = ServiceLogEntry.ended(
            try Self.occurrence(),
            .held,
            counts: OutcomeTally()
        )
        let line = ServiceLogJSON.line(
            entry,
            in: EnvironmentID("production"),
            at: Self.start
        )
        #expect(
            line.hasPrefix(
                #"{"format":"1.1","time":"2027-01-15T08:00:00Z","level":"error","event":"held","#
                    + #""message":"tide/once/1 is held","environment":"production","#
                    + #""occurrence":"tide/once/1","counts":{"accepted":0,"#
            )
        )
        #expect(line.filter { $0 == "\n" }.count == 1)
        #expect(line.last == "\n")
    }

    @Test func `text of other parts keeps its severity`() {
        let error = ServiceLogJSON.line(.message("error: x"), in: nil, at: Self.start)
        #expect(error.contains(#""level":"error","event":"message","message":"error: x""#))
        let plain = ServiceLogJSON.line(.message("Received SIGTERM."), in: nil, at: Self.start)
        #expect(plain.contains(#""level":"info""#))
    }
}

struct NotificationJSONTests {
    private static func body(
        _ result: ServiceNotification.Result,
        counts: [Outcome: Int]
    ) throws -> JSONValue {
        let notification = ServiceNotification(
            of: OccurrenceID(
                campaign: try #require(CampaignID("tide")),
                slot: .once,
                revision: 1
            ),
            result,
            counts: counts.reduce(into: OutcomeTally()) { $0[$1.key] = $1.value },
            context: context
        )
        return try read(notification)
    }

    private static let context = ServiceNotification.Context(
        lineage: StateLineage(text: "b5"),
        now: Instant(secondsSince1970: 1_800_000_000)
    )

    private static func read(_ notification: ServiceNotification) throws -> JSONValue {
        let source = NotificationSource(
            project: try #require(ProjectID("tidewatch")),
            environment: try #require(EnvironmentID("production"))
        )
        let body = NotificationJSON.body(of: notification, from: source)
        return try #require(JSONValue(stored: String(decoding: body, as: UTF8.self)))
    }

    @Test func `a finished send has counts and a text that Slack shows`() throws {
        let body = try Self.body(.finished, counts: [.accepted: 3, .rejected: 1])
        #expect(body["event"] == "finished")
        #expect(body["time"] == "2027-01-15T08:00:00Z")
        #expect(body["project"] == "tidewatch")
        #expect(body["environment"] == "production")
        #expect(body["campaign"] == "tide")
        #expect(body["occurrence"] == "tide/once/1")
        #expect(body["counts"]?["accepted"] == 3)
        #expect(
            body["text"]
                == "tidewatch, production: `tide/once/1` is finished. 3 accepted, 1 rejected."
        )
        let block = body["blocks"]?.arrayValue?.first
        #expect(block?["type"] == "section")
        #expect(block?["text"]?["type"] == "mrkdwn")
        #expect(
            block?["text"]?["text"]
                == "*tidewatch, production*: `tide/once/1` is finished.\n3 accepted, 1 rejected."
        )
    }

    @Test func `a held send names the next step`() throws {
        let text = try Self.body(.held(.mostlyDead), counts: [.rejected: 20])["text"]?.stringValue
        #expect(
            text
                == "tidewatch, production: `tide/once/1` is held: most of the first registrations "
                + "were dead or of another project. 20 rejected. "
                + "`herald status -e production` shows what to do."
        )
    }

    @Test func `Slack's control characters are escaped, and long texts are cut`() throws {
        let failure = "<!channel> & " + String(repeating: "x", count: 4_000)
        let notification = ServiceNotification(ofCredential: failure, context: Self.context)
        let body = try Self.read(notification)
        #expect(body["event"] == "credential_failed")
        #expect(body["occurrence"] == nil)
        let text = try #require(body["text"]?.stringValue)
        #expect(text.hasPrefix("tidewatch, production: Sends fail: &lt;!channel&gt; &amp; xxx"))
        #expect(text.count == 3_000)
    }

    @Test func `a credential that works again says so`() throws {
        let body = try Self.read(ServiceNotification(ofCredential: nil, context: Self.context))
        #expect(body["event"] == "credential_recovered")
        #expect(
            body["text"]
                == "tidewatch, production: The credential works again. Sends continue."
        )
    }
}

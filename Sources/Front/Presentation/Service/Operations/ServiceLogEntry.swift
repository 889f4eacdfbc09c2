package import CampaignModel
import Planning
package import RunControl
package import Service
package import State
package import Time

/// A line of a service's log.
package struct ServiceLogEntry: Sendable {
    package enum Level: String, Sendable, CaseIterable {
        case info
        case warning
        case error
    }

    /// What happened; the raw values appear in logs, so they never change.
    package enum Event: String, Sendable, CaseIterable {
        case started
        case listening
        case waiting
        /// Another service sends, and this one takes over when it ends.
        case standby
        /// This service is no longer a standby.
        case active
        /// Another process holds the lock while something is due.
        case locked
        /// It no longer does.
        case unlocked
        case reloading
        case clock
        /// A run added results to an occurrence.
        case sent
        case finished
        case held
        case stopped
        case expired
        case skipped
        case failed
        case ready
        case notReady = "not_ready"
        case notification
        /// The worker of a fleet.
        case fleet
        /// Text of another part of the program.
        case message
    }

    package let level: Level
    package let event: Event
    package private(set) var message: String
    /// Whether the text log has this line too; otherwise it says the same in other lines.
    package let isInText: Bool
    var occurrence: OccurrenceID?
    var counts: OutcomeTally?
    var problem: ServiceProblem?
    var next: Instant?
    var holder: StandbyMachine.Holder?

    init(
        _ event: Event,
        _ message: String,
        level: Level = .info,
        isInText: Bool = false
    ) {
        self.event = event
        self.message = message
        self.level = level
        self.isInText = isInText
    }

    /// The same line with another text.
    package func mapText(_ change: (String) -> String) -> ServiceLogEntry {
        var entry = self
        entry.message = change(message)
        return entry
    }

    private func with(
        occurrence: OccurrenceID? = nil,
        counts: OutcomeTally? = nil,
        problem: ServiceProblem? = nil,
        next: Instant? = nil
    ) -> ServiceLogEntry {
        var entry = self
        entry.occurrence = occurrence
        entry.counts = counts
        entry.problem = problem
        entry.next = next
        return entry
    }

    private func with(holder: StandbyMachine.Holder) -> ServiceLogEntry {
        var entry = self
        entry.holder = holder
        return entry
    }
}

extension ServiceLogEntry {
    package static func started(_ release: ReleaseWording) -> ServiceLogEntry {
        ServiceLogEntry(.started, "\(release.line) started")
    }

    package static func listening(at url: String) -> ServiceLogEntry {
        ServiceLogEntry(.listening, "Serving health and metrics at \(url)", isInText: true)
    }

    /// `next`: when the next occurrence is due; nil if none is scheduled.
    package static func waiting(for next: Instant?, at now: Instant) -> ServiceLogEntry {
        ServiceLogEntry(.waiting, ServiceWording.waiting(for: next, at: now).line)
            .with(next: next)
    }

    /// The service waits for another process.
    package static func waiting(
        for holder: StandbyMachine.Holder,
        with need: StandbyMachine.Need
    ) -> ServiceLogEntry {
        ServiceLogEntry(
            need == .role ? .standby : .locked,
            StandbyWording(holder, for: need).text.line,
            level: holder.isStopped ? .warning : .info,
            isInText: true
        ).with(holder: holder)
    }

    /// The service no longer waits for another process.
    package static func ended(
        _ need: StandbyMachine.Need,
        after wait: Duration
    ) -> ServiceLogEntry {
        ServiceLogEntry(
            need == .role ? .active : .unlocked,
            StandbyWording.ended(need, after: wait).line,
            isInText: true
        )
    }

    package static let reloading = ServiceLogEntry(.reloading, ServiceWording.reloading.line)

    package static func notice(_ notice: ServiceMachine.Notice) -> ServiceLogEntry {
        ServiceLogEntry(.clock, ServiceWording.notice(notice).line, level: .warning)
    }

    package static func sent(_ report: SendReport) -> ServiceLogEntry {
        ServiceLogEntry(.sent, "Sent \(report.occurrence)")
            .with(occurrence: report.occurrence, counts: report.tally)
    }

    /// An occurrence ended, or waits for a user.
    ///
    /// `counts`: all its outcomes.
    package static func ended(
        _ occurrence: OccurrenceID,
        _ result: ServiceMetrics.OccurrenceResult,
        counts: OutcomeTally
    ) -> ServiceLogEntry {
        let (event, level, words): (Event, Level, String) =
            switch result {
            case .finished: (.finished, .info, "is finished")
            case .held: (.held, .error, "is held")
            case .stopped: (.stopped, .error, "is stopped at an unknown outcome")
            case .expired: (.expired, .error, "was too late")
            case .skipped: (.skipped, .info, "was too late and is skipped")
            }
        return ServiceLogEntry(event, "\(occurrence) \(words)", level: level)
            .with(occurrence: occurrence, counts: counts)
    }

    /// A window or a command failed.
    package static func failed(_ error: ErrorText, problem: ServiceProblem?) -> ServiceLogEntry {
        let help = error.help.map { "; \($0)" } ?? ""
        return ServiceLogEntry(.failed, error.message + help, level: .error)
            .with(problem: problem)
    }

    package static func health(_ change: ServiceHealth.Change) -> ServiceLogEntry {
        switch change {
        case .began(let standing):
            ServiceLogEntry(
                .notReady,
                "Not ready: \(ProblemWording(standing).text)",
                level: .error,
                isInText: standing.problem == .credential
            ).with(problem: standing.problem)
        case .ended(let problem):
            ServiceLogEntry(
                .ready,
                "No longer a problem: \(problem.rawValue)",
                isInText: problem == .credential
            ).with(problem: problem)
        }
    }

    package static func notification(_ note: NotificationMachine.Note) -> ServiceLogEntry {
        switch note {
        case .delivered(let notification):
            ServiceLogEntry(.notification, "Delivered `\(notification.event.rawValue)`")
                .with(occurrence: notification.occurrence)
        case .retrying(let notification, let reason, let pause):
            ServiceLogEntry(
                .notification,
                "The webhook did not accept `\(notification.event.rawValue)`: "
                    + "\(TextStyle.safe(reason)). The next attempt is in "
                    + "\(pause.components.seconds) s",
                level: .warning,
                isInText: true
            ).with(occurrence: notification.occurrence)
        case .dropped(let notification, let reason):
            ServiceLogEntry(
                .notification,
                "`\(notification.event.rawValue)` is not delivered: \(reason.wording)",
                level: .error,
                isInText: true
            ).with(occurrence: notification.occurrence)
        }
    }

    /// Text that also appears in the text log.
    static func line(_ text: String, level: Level = .info) -> ServiceLogEntry {
        ServiceLogEntry(.message, text, level: level, isInText: true)
    }

    /// Text of another part of the program, without its line break.
    package static func message(_ text: String) -> ServiceLogEntry {
        let level: Level =
            text.hasPrefix("error:") ? .error : text.hasPrefix("warning:") ? .warning : .info
        return ServiceLogEntry(.message, text, level: level)
    }
}

extension NotificationMachine.Reason {
    fileprivate var wording: String {
        switch self {
        case .refused(let reason): "the webhook refused it (\(TextStyle.safe(reason)))"
        case .unavailable(let reason): TextStyle.safe(reason)
        case .full: "too many notifications wait"
        }
    }
}

extension ServiceNotification {
    fileprivate var occurrence: OccurrenceID? {
        if case .occurrence(let id, _, _) = subject { id } else { nil }
    }
}

extension String {
    /// Text of one line without its line break and full stop.
    fileprivate var line: String {
        var text = self
        while text.last == "\n" || text.last == "." { text.removeLast() }
        return text
    }
}

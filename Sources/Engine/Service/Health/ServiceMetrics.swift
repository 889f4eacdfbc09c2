package import CampaignModel
package import RunControl
package import State
package import Time

/// The numbers that a service publishes: counters since its start, and what its last look at the
/// state found.
///
/// No label depends on a campaign, a registration or another name that can have any number of values.
package struct ServiceMetrics: Hashable, Sendable {
    /// How an occurrence ended or stopped in a window.
    package enum OccurrenceResult: String, Hashable, Sendable, CaseIterable {
        case finished
        case stopped
        case held
        case expired
        case skipped
    }

    package enum WindowResult: String, Hashable, Sendable, CaseIterable {
        case complete
        case failed
    }

    package enum NotificationResult: String, Hashable, Sendable, CaseIterable {
        case delivered
        /// An attempt failed and is repeated.
        case retried
        /// It is given up.
        case dropped
    }

    /// What a look at the state found.
    package struct Outlook: Hashable, Sendable {
        package let scheduled: Int
        package let held: Int
        package let stopped: Int
        package let paused: Int
        /// When the next occurrence is due; nil if there is none.
        package let next: Instant?
        /// The due time of the oldest occurrence that is due and waits for nothing but the service;
        /// nil if there is none.
        package let oldestDue: Instant?

        package init(
            scheduled: Int,
            held: Int,
            stopped: Int,
            paused: Int,
            next: Instant?,
            oldestDue: Instant?
        ) {
            self.scheduled = scheduled
            self.held = held
            self.stopped = stopped
            self.paused = paused
            self.next = next
            self.oldestDue = oldestDue
        }

        static let nothing = Outlook(
            scheduled: 0,
            held: 0,
            stopped: 0,
            paused: 0,
            next: nil,
            oldestDue: nil
        )
    }

    /// The outcomes of requests since the start.
    package private(set) var requests = OutcomeTally()
    package private(set) var occurrences: [OccurrenceResult: Int] = [:]
    package private(set) var windows: [WindowResult: Int] = [:]
    package private(set) var notifications: [NotificationResult: Int] = [:]
    package private(set) var pauses: [PauseReason: Int] = [:]
    package private(set) var reloads = 0
    package private(set) var renewedTokens = 0
    package private(set) var outlook = Outlook.nothing
    /// When the last run ended, which wrote to the state; nil before the first.
    package private(set) var lastRun: Instant?
    /// When the state was last read; nil before the first time.
    package private(set) var lastLook: Instant?
    /// What the occurrences in progress have added to `requests`; their reports add the rest.
    private var current: [OccurrenceID: OutcomeTally] = [:]

    package init() {}

    /// Seconds since the oldest due time of an occurrence that was not sent yet.
    package func dueLag(at now: Instant) -> Int64 {
        outlook.oldestDue.map { max(0, now.seconds(since: $0)) } ?? 0
    }
}

extension ServiceMetrics {
    /// The outcomes that are counted; the others are not final.
    package static let outcomes: [Outcome] = [
        .accepted, .rejected, .unknown, .expired, .suppressed, .cancelled,
    ]

    package mutating func receive(_ event: ApplyEvent) {
        switch event {
        case .began(.sending(let occurrence), _): current[occurrence] = OutcomeTally()
        case .progressed(let count, let kind, let occurrence?):
            requests[kind.outcome] += count
            current[occurrence, default: OutcomeTally()][kind.outcome] += count
        case .sent(let report):
            // Progress omits requests that were left out, and some that were repeated.
            let counted = current.removeValue(forKey: report.occurrence) ?? OutcomeTally()
            for outcome in Self.outcomes {
                requests[outcome] += max(0, report.tally[outcome] - counted[outcome])
            }
        case .pausing(let reason, _, _): pauses[reason, default: 0] += 1
        case .tokenRenewed: renewedTokens += 1
        // Progress without an occurrence is about memberships.
        case .began, .progressed, .ended, .runBegan, .sendings, .settles, .transportChosen,
            .request:
            break
        }
    }

    package mutating func looked(_ outlook: Outlook, at now: Instant) {
        self.outlook = outlook
        lastLook = now
    }

    package mutating func ended(_ result: WindowResult) { windows[result, default: 0] += 1 }

    /// A run ended, which wrote to the state.
    package mutating func ran(at now: Instant) { lastRun = now }

    package mutating func count(_ result: OccurrenceResult, by number: Int = 1) {
        occurrences[result, default: 0] += number
    }

    package mutating func count(_ result: NotificationResult) {
        notifications[result, default: 0] += 1
    }

    package mutating func reloaded() { reloads += 1 }
}

extension ProgressKind {
    fileprivate var outcome: Outcome {
        switch self {
        case .done: .accepted
        case .refused: .rejected
        case .unknown: .unknown
        }
    }
}

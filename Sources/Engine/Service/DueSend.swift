package import CampaignModel
package import Planning
package import Time

/// A recorded occurrence that a service sends when it is due.
package struct DueSend: Hashable, Sendable {
    package let occurrence: OccurrenceID
    /// The due time with jitter, before quiet hours.
    package let due: Instant
    /// Of sends with the same due time, the higher goes first.
    package let priority: Int
    package let kind: Kind
    /// The number of its requests; a large number if it is unknown.
    package let requests: Int
    /// What happens if it is late; nil for a campaign without a schedule, which is never late.
    package let timeliness: Timeliness?
    /// When its message expires; nil if it has no fixed end.
    package let expires: Instant?
    /// Nil if quiet hours do not hold it.
    package let deferral: QuietDeferral?
    /// Whether the frequency cap limits it: the decision must see the messages of the others.
    package let isCapped: Bool
    /// When the last joins to its topics have settled, on the clock that never jumps; nil if it need
    /// not wait for that.
    package let settled: Duration?

    package enum Kind: Hashable, Sendable {
        /// One request that FCM delivers to many devices; nil if their number is unknown.
        case fanOut(reach: Int?)
        /// One request per registration.
        case list
    }

    /// The policy for late sends, with the default for its kind of schedule.
    package struct Timeliness: Hashable, Sendable {
        package let policy: LatePolicy
        package let otherwise: LatePolicy.Late

        package init(_ policy: LatePolicy, otherwise: LatePolicy.Late) {
            self.policy = policy
            self.otherwise = otherwise
        }
    }

    package init(
        _ occurrence: OccurrenceID,
        due: Instant,
        priority: Int = 0,
        kind: Kind,
        requests: Int = 1,
        timeliness: Timeliness?,
        expires: Instant? = nil,
        deferral: QuietDeferral? = nil,
        isCapped: Bool = false,
        settled: Duration? = nil
    ) {
        self.occurrence = occurrence
        self.due = due
        self.priority = priority
        self.kind = kind
        self.requests = requests
        self.timeliness = timeliness
        self.expires = expires
        self.deferral = deferral
        self.isCapped = isCapped
        self.settled = settled
    }

    /// The same send with another due time, after a hold.
    func moved(to due: Instant) -> DueSend {
        DueSend(
            occurrence,
            due: due,
            priority: priority,
            kind: kind,
            requests: requests,
            timeliness: timeliness,
            expires: expires,
            deferral: deferral,
            isCapped: isCapped,
            settled: settled
        )
    }

    var isFanOut: Bool {
        if case .fanOut = kind { true } else { false }
    }

    /// The due time after quiet hours, if the send has not started at `now`.
    func movedDue(at now: Instant) -> Instant { deferral?.due(due, at: now) ?? due }

    /// What happens to the send if it could start at `now`.
    func fate(at now: Instant) -> Fate {
        let moved = movedDue(at: now)
        if let expires, expires <= max(now, moved) { return .expire }
        if let until = timeliness?.policy.until, moved > until, moved > due { return .expire }
        if moved > now { return .wait(until: moved) }
        guard let timeliness else { return .send }
        return
            switch timeliness.policy.verdict(
                on: moved,
                at: now,
                otherwise: timeliness.otherwise
            )
        {
        case .send: .send
        case .skip: .skip
        case .fail: .expire
        }
    }

    enum Fate: Hashable {
        case wait(until: Instant)
        case send
        case skip
        case expire
    }
}

/// How a campaign is rolled out, and what happens on errors.
package struct SendingPolicy: Hashable, Sendable {
    /// What to do about a request whose outcome is unknown.
    package enum OnUnknown: String, Hashable, Sendable, CaseIterable {
        case stop
        case skip
        case retry
    }

    /// What is stored about accepted requests to registrations.
    ///
    /// The message ID of a topic, condition or group send is always stored.
    package enum Record: String, Hashable, Sendable, CaseIterable {
        case ids
        case counts
    }

    /// nil means the default for the kind of send.
    package let onUnknown: OnUnknown?
    package let rollout: Rollout?
    package let acknowledgement: Acknowledgement?
    /// The share of people who receive nothing, for comparison.
    package let holdOut: Percentage?
    package let record: Record
    /// The reason to send to people who are over the frequency cap; nil if the cap applies.
    package let reasonAboveCap: String?
    /// When which share of the recipients should be reached; nil if the author sets none.
    package let objective: Objective?
    /// What a recall of the campaign shows; nil if the author does not write it.
    package let recall: RecallMessage?

    package init(
        onUnknown: OnUnknown?,
        rollout: Rollout?,
        acknowledgement: Acknowledgement?,
        holdOut: Percentage?,
        record: Record = .counts,
        reasonAboveCap: String? = nil,
        objective: Objective? = nil,
        recall: RecallMessage? = nil
    ) {
        self.onUnknown = onUnknown
        self.rollout = rollout
        self.acknowledgement = acknowledgement
        self.holdOut = holdOut
        self.record = record
        self.reasonAboveCap = reasonAboveCap
        self.objective = objective
        self.recall = recall
    }

    package static let unspecified = SendingPolicy(
        onUnknown: nil,
        rollout: nil,
        acknowledgement: nil,
        holdOut: nil
    )
}

/// Limits that the author knowingly accepts.
package struct Acknowledgement: Hashable, Sendable {
    /// The number of people that may be reached.
    package let reach: Int?
    /// The share of registrations that may be dead.
    package let dead: Percentage?
    /// The number of registrations by which the list may shrink.
    package let change: Int?
    package let reason: String

    package init(reach: Int?, dead: Percentage?, change: Int? = nil, reason: String) {
        self.reach = reach
        self.dead = dead
        self.change = change
        self.reason = reason
    }

    /// Nil if it allows no change.
    package var ofChange: ChangeAcknowledgement? {
        change.map { ChangeAcknowledgement(change: $0, reason: reason) }
    }
}

/// A large change of a list or of its members that the author knowingly accepts.
package struct ChangeAcknowledgement: Hashable, Sendable {
    /// The number of registrations that may join, leave, or disappear from the list.
    package let change: Int
    package let reason: String

    package init(change: Int, reason: String) {
        self.change = change
        self.reason = reason
    }
}

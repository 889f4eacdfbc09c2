/// How a campaign is brought out, and what becomes of it when something goes wrong.
package struct SendingPolicy: Hashable, Sendable {
    /// What is done about a request of which nobody knows whether FCM took it.
    package enum OnUnknown: String, Hashable, Sendable, CaseIterable {
        case stop
        case skip
        case retry
    }

    /// What is kept of accepted requests to registrations.
    ///
    /// The message's id of a topic, condition or group send is always kept.
    package enum Record: String, Hashable, Sendable, CaseIterable {
        case ids
        case counts
    }

    /// Nil where the default of the kind of send applies.
    package let onUnknown: OnUnknown?
    package let rollout: Rollout?
    package let acknowledgement: Acknowledgement?
    /// The share of people who get nothing, to compare with.
    package let holdOut: Percentage?
    package let record: Record

    package init(
        onUnknown: OnUnknown?,
        rollout: Rollout?,
        acknowledgement: Acknowledgement?,
        holdOut: Percentage?,
        record: Record = .counts
    ) {
        self.onUnknown = onUnknown
        self.rollout = rollout
        self.acknowledgement = acknowledgement
        self.holdOut = holdOut
        self.record = record
    }

    package static let unspecified = SendingPolicy(
        onUnknown: nil,
        rollout: nil,
        acknowledgement: nil,
        holdOut: nil
    )
}

/// Sending to a list in growing parts.
package struct Rollout: Hashable, Sendable {
    /// Ascending; after the last the whole list was sent to.
    package let stages: [Threshold]
    /// Seconds between two stages.
    package let pause: Int64
    package let stopWhen: StopConditions

    /// Above either the rest is not sent to.
    package struct StopConditions: Hashable, Sendable {
        package let rejected: Threshold?
        package let unknown: Threshold?

        package init(rejected: Threshold?, unknown: Threshold?) {
            self.rejected = rejected
            self.unknown = unknown
        }
    }

    package init(stages: [Threshold], pause: Int64, stopWhen: StopConditions) {
        self.stages = stages
        self.pause = pause
        self.stopWhen = stopWhen
    }
}

/// What the author knows of and wants nevertheless.
package struct Acknowledgement: Hashable, Sendable {
    /// So many people may be reached.
    package let reach: Int?
    /// Such a share of the registrations may be dead.
    package let dead: Percentage?
    package let reason: String

    package init(reach: Int?, dead: Percentage?, reason: String) {
        self.reach = reach
        self.dead = dead
        self.reason = reason
    }
}

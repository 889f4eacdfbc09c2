package import CampaignModel
package import Time

/// An outcome of one subject of an exposure, such as a purchase.
package struct SubjectOutcome: Hashable, Sendable {
    /// Identifies the event: a keyed hash of its content.
    ///
    /// One event is stored once per exposure.
    package let event: Fingerprint
    package let unit: UnitID
    /// The first half of the subject's fingerprint.
    package let subject: UInt64
    /// The number of the subject's arm.
    package let arm: UInt8
    /// Such as `conversion`.
    package let name: String
    package let time: Instant
    /// Such as an amount; nil without one.
    package let value: Double?

    package init(
        event: Fingerprint,
        unit: UnitID,
        subject: UInt64,
        arm: UInt8,
        name: String,
        time: Instant,
        value: Double? = nil
    ) {
        self.event = event
        self.unit = unit
        self.subject = subject
        self.arm = arm
        self.name = name
        self.time = time
        self.value = value
    }
}

/// The stored outcomes with one name.
package struct OutcomeSummary: Hashable, Sendable {
    package let name: String
    /// Number of events.
    package let events: Int
    /// Number of events with a value.
    package let values: Int
    package let first: Instant
    package let last: Instant

    package init(name: String, events: Int, values: Int, first: Instant, last: Instant) {
        self.name = name
        self.events = events
        self.values = values
        self.first = first
        self.last = last
    }
}

/// All outcomes of one subject with one name.
package struct SubjectSum: Hashable, Sendable {
    package let subject: UInt64
    /// The sum of the values; 0 without any.
    package let value: Double

    package init(subject: UInt64, value: Double) {
        self.subject = subject
        self.value = value
    }
}

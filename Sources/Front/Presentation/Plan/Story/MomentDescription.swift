package import Time

/// A time as local time, as UTC and relative to now.
package struct MomentDescription: Hashable, Sendable {
    package let instant: Instant
    /// The weekday of `local`, such as `Friday`.
    package let weekday: String
    /// For example, `2037-03-20 07:30`.
    package let local: String
    /// An IANA name.
    package let zone: String
    /// For example, `2037-03-20T08:30:00Z`.
    package let utc: String
    /// For example, `in 3 h`, `5 min ago`.
    package let distance: String
    /// The effect of a clock change on this time, if any.
    package let note: String?
}

/// A recurring schedule.
package struct RuleDescription: Hashable, Sendable {
    /// The rule as written by its author.
    package let text: String
    package let zone: String
    /// For example, `at minute 30 of hour 7, every day`.
    package let wording: String
    /// The next few due times.
    package let next: [MomentDescription]
}

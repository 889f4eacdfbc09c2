package import Time

/// A moment in local time, in UTC and from now.
package struct MomentStory: Hashable, Sendable {
    package let instant: Instant
    /// `Friday`, as `local` has it.
    package let weekday: String
    /// As in `2037-03-20 07:30`.
    package let local: String
    /// An IANA name.
    package let zone: String
    /// As in `2037-03-20T08:30:00Z`.
    package let utc: String
    /// `in 3 h`, `5 min ago`.
    package let distance: String
    /// What clocks that are put forward or back do to it.
    package let note: String?
}

/// A rule that names many moments.
package struct RuleStory: Hashable, Sendable {
    /// As its author wrote it.
    package let text: String
    package let zone: String
    /// `at minute 30 of hour 7, every day`.
    package let words: String
    /// The next few.
    package let next: [MomentStory]
}

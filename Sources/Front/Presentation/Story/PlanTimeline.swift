package import Time

/// What is sent in the days to come, by the campaigns of a plan, unchanged ones among them.
package struct PlanTimeline: Hashable, Sendable {
    package struct Sending: Hashable, Sendable {
        package let campaign: String
        package let moment: MomentStory
        /// Whether the plan sends it, schedules it or changes it; the others were there before.
        package let isPlanned: Bool
    }

    package static let days = 14

    package let start: Instant
    package let end: Instant
    /// By moment, then in the order of the plan; at most `maximumCount`.
    package let sendings: [Sending]
    /// How many more there are, as far as was counted.
    package let more: Int

    package static let maximumCount = 1_000
}

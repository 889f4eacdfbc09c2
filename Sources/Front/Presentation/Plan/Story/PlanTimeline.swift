package import Time

/// The sends of the next days, including those of unchanged campaigns.
package struct PlanTimeline: Hashable, Sendable {
    package struct Sending: Hashable, Sendable {
        package let campaign: String
        package let moment: MomentDescription
        /// Whether the plan sends, schedules or changes it.
        ///
        /// Other sends were already scheduled.
        package let isPlanned: Bool
        /// Nil if the campaign is not in the files.
        package var receivers: SendReceivers? = nil
        /// The recipients' time zone, or their own time; nil if all recipients have the same.
        ///
        /// A phone gets the sends of one part only.
        package var part: String? = nil
    }

    package static let days = 14

    package let start: Instant
    package let end: Instant
    /// Sorted by due time, then in the order of the plan; at most `maximumCount`.
    package let sendings: [Sending]
    /// The number of further sends that were counted.
    package let more: Int

    package static let maximumCount = 1_000
}

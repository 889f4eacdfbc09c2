package import CampaignModel
import Planning
package import State

/// What an occurrence reached of its objective, in all runs.
package struct ObjectiveOverview: Hashable, Sendable {
    package enum Status: String, Hashable, Sendable, CaseIterable {
        /// FCM accepted the share in time.
        case reached
        /// FCM accepted the share too late.
        case late
        /// The send ended without the share.
        case missed
        /// The send has not ended.
        case open
        /// FCM accepted the share, but a process ended before it recorded the time.
        case unrecorded = "time_unrecorded"
        /// FCM accepted one message for many devices. It does not report when they get it.
        case fanOut = "fan_out"
    }

    package let objective: Objective
    /// The seconds from the due time until FCM had accepted the share; nil if that is not recorded.
    package let reachedAfter: Int64?
    /// Number of accepted requests.
    package let accepted: Int
    /// Number of requests that are not suppressed.
    package let addressed: Int
    package let status: Status

    /// Nil if the occurrence has no objective, or has not started.
    package init?(_ record: OccurrenceRecord) {
        guard let objective = record.objective, let unit = record.unit else { return nil }
        self.objective = objective
        reachedAfter = record.reachedAfter
        accepted = unit.tally[.accepted]
        addressed = unit.count - unit.tally[.suppressed]
        let isAccepted = accepted > 0 && accepted >= objective.target(of: addressed)
        status =
            if unit.target.isFanOut, isAccepted {
                .fanOut
            } else if let reachedAfter {
                reachedAfter <= objective.seconds ? .reached : .late
            } else if isAccepted {
                .unrecorded
            } else {
                record.status == .dispatching ? .open : .missed
            }
    }
}

import CampaignModel
import Planning
import State
import Time

/// Watches accepted requests of an occurrence until they make up the share of its objective.
struct ObjectiveWatch {
    private let objective: Objective
    private let due: Instant
    /// The accepted requests that are still missing.
    private var missing: Int
    /// The time at which the share was accepted, until it is taken.
    private var reached: ReachedObjective?

    /// Nil if the occurrence has no objective, if its share was accepted earlier, or if there is
    /// nothing to reach.
    ///
    /// The share is that of the requests that are not suppressed.
    init?(of sending: ActiveOccurrence) {
        guard let objective = sending.policy.objective else { return nil }
        let tally = sending.unit.tally
        let earlier = sending.unit.count - tally[.suppressed]
        guard tally[.accepted] < objective.target(of: earlier) else { return nil }
        let addressed = max(0, earlier - sending.skipped.count)
        missing = objective.target(of: addressed) - tally[.accepted]
        guard missing > 0 || tally[.accepted] > 0 else { return nil }
        self.objective = objective
        due = sending.due
    }

    /// Checks whether the requests that FCM accepted earlier make up the share, because others are
    /// now skipped.
    mutating func begin(on clock: WallClock) {
        guard missing <= 0, reached == nil else { return }
        reach(on: clock)
    }

    /// Counts the requests that FCM accepted, with answers that arrived now.
    mutating func judged(_ judgements: [Judgement], on clock: WallClock) {
        accepted(judgements.count { if case .accepted = $0 { true } else { false } }, on: clock)
    }

    /// Counts requests that FCM accepted.
    mutating func accepted(_ count: Int, on clock: WallClock) {
        guard missing > 0 else { return }
        missing -= count
        guard missing <= 0 else { return }
        reach(on: clock)
    }

    private mutating func reach(on clock: WallClock) {
        reached = ReachedObjective(objective, after: max(0, clock.now().seconds(since: due)))
    }

    /// Returns the result once, after the share was accepted.
    mutating func take() -> ReachedObjective? {
        defer { reached = nil }
        return reached
    }
}

import Scheduling
import Time

/// A slot's due time, and the one that it has without quiet hours.
struct SlotTimes: Hashable {
    /// With jitter, without quiet hours.
    let base: Instant
    let due: Instant

    private var isHeld: Bool { due > base }

    /// Whether a later slot of the rule is sent instead of this one.
    ///
    /// Quiet hours must hold one of the two. The later slot replaces this one if it has come due
    /// when they let this one go. It does not if it is sent before this one comes due.
    func isReplaced(by later: SlotTimes, now: Instant) -> Bool {
        (isHeld || later.isHeld) && later.base <= max(due, now) && later.due >= base
    }
}

/// Finds the slots of a rule that quiet hours leave to a later slot.
struct SlotReplacement {
    private let slots: RuleSlots
    private let reach: Int64
    private let now: Instant
    private let times: (SlotMoment) -> SlotTimes
    private let isPending: (SlotMoment) -> Bool

    /// - Parameters:
    ///   - slots: The slots of the rule.
    ///   - reach: How much later than its slot a send may be due, in seconds.
    ///   - now: The current time.
    ///   - times: The times of a slot.
    ///   - isPending: Whether a slot is neither sent nor missed.
    init(
        _ slots: RuleSlots,
        reach: Int64,
        now: Instant,
        times: @escaping (SlotMoment) -> SlotTimes,
        isPending: @escaping (SlotMoment) -> Bool
    ) {
        self.slots = slots
        self.reach = reach
        self.now = now
        self.times = times
        self.isPending = isPending
    }

    func isReplaced(_ slot: SlotMoment) -> Bool {
        let own = times(slot)
        let end = max(own.due, now)
        let start = max(slot.moment, end.advanced(bySeconds: -reach))
        let found = slots.next(after: start) { later in
            later.moment > end
                || isPending(later) && own.isReplaced(by: times(later), now: now)
        }
        return found.map { $0.moment <= end } ?? false
    }
}

package import Time

/// The slots of a schedule: the local times that it matches.
package enum SlotPattern: Hashable, Sendable {
    case at(CivilDateTime)
    case cron(CronSchedule)
    case recurrence(RecurrenceRule)

    /// Returns the slots later than `local` in ascending order.
    func slots(after local: CivilDateTime) -> AnyIterator<CivilDateTime> {
        switch self {
        case .at(let slot): return AnyIterator((slot > local ? [slot] : []).makeIterator())
        case .recurrence(let rule):
            return AnyIterator(RecurrenceSlots(rule, after: local))
        case .cron(let schedule):
            var last = local
            return AnyIterator {
                guard let next = schedule.next(after: last) else { return nil }
                last = next
                return next
            }
        }
    }

    /// The last possible due time; nil if the pattern sets none.
    var lastMoment: Instant? {
        guard case .recurrence(let rule) = self, case .untilInstant(let last) = rule.end else {
            return nil
        }
        return last
    }
}

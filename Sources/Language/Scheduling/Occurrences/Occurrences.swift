package import Time

/// The due times of a schedule's slots in a time zone.
///
/// - A slot in a daylight-saving gap moves forward. `at` and recurrence rules move it by the length
///   of the gap (RFC 5545, section 3.3.5). cron moves it to the first instant after the gap, and
///   drops it if its minute or hour starts with `*`, as cron daemons do.
/// - A slot that occurs twice is due once, the first time.
/// - Each instant is due once: if several slots have the same due time, such as those of `0,15 2
///   * * *` in a gap, the first represents all.
package struct Occurrences: Hashable, Sendable {
    package let pattern: SlotPattern
    package let zone: TimeZoneRules

    package init(_ pattern: SlotPattern, in zone: TimeZoneRules) {
        self.pattern = pattern
        self.zone = zone
    }

    /// The slots that are due after `instant`, in ascending order, computed lazily.
    package func moments(after instant: Instant) -> some Sequence<SlotMoment> {
        OccurrenceIterator(self, after: instant)
    }

    /// Returns at most `count` slots that are due after `instant`, in ascending order.
    package func next(after instant: Instant, count: Int) -> [SlotMoment] {
        Array(moments(after: instant).prefix(max(0, count)))
    }

    /// Returns nil if clocks skip the slot and nothing makes up for it.
    func place(_ slot: CivilDateTime) -> SlotMoment? {
        switch zone.resolve(slot) {
        case .unique(let moment):
            return SlotMoment(slot: slot, moment: moment, note: .none)
        case .doubled(let first, _):
            return SlotMoment(slot: slot, moment: first, note: .firstOfTwo)
        case .skipped(let moved, let gapSeconds):
            if case .cron(let schedule) = pattern, !schedule.makesUpSkippedTimes { return nil }
            return SlotMoment(
                slot: slot,
                moment: isCron ? zone.endOfGap(over: slot, movedTo: moved) : moved,
                note: .movedForward(gapSeconds: gapSeconds)
            )
        }
    }

    /// Returns a lower bound for the due times of slots later than `placed`.
    func bound(after placed: SlotMoment) -> Instant {
        guard case .movedForward(let gap) = placed.note, !isCron else { return placed.moment }
        return placed.moment.advanced(bySeconds: -Int64(gap))
    }

    private var isCron: Bool {
        if case .cron = pattern { return true }
        return false
    }
}

extension TimeZoneRules {
    /// The instant at which clocks skip `local`.
    ///
    /// `moved` is later by less than the gap's length.
    fileprivate func endOfGap(over local: CivilDateTime, movedTo moved: Instant) -> Instant {
        let range = moved.advanced(bySeconds: -longestGap)..<moved.advanced(bySeconds: 1)
        return clockChanges(in: range).last { change in
            localTime(at: change.advanced(bySeconds: -1)) < local && local < localTime(at: change)
        } ?? moved
    }

    /// Returns a local time before all slots that are due after `instant`.
    ///
    /// This is the local time at `instant`. Up to a gap's length after a gap, it is the local time
    /// before the gap, because the slots in the gap are due later than the first slots after it.
    func localTime(beforeSlotsAfter instant: Instant) -> CivilDateTime {
        let range = instant.advanced(bySeconds: -longestGap)..<instant.advanced(bySeconds: 1)
        let beforeGaps = clockChanges(in: range).compactMap { change -> CivilDateTime? in
            let before = change.advanced(bySeconds: -1)
            let gap = offset(at: change).seconds - offset(at: before).seconds
            return change.advanced(bySeconds: Int64(gap)) > instant ? localTime(at: before) : nil
        }
        return (beforeGaps + [localTime(at: instant)]).min() ?? localTime(at: instant)
    }

    /// More than the difference between any two offsets (`UTCOffset.allowedSeconds`).
    private var longestGap: Int64 { 51 * 3600 }
}

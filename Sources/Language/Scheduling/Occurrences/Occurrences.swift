package import Time

/// When the slots of a schedule are due in a time zone.
///
/// - A slot that clocks skip moves forward: with `at` and a recurrence rule by the length of the
///   gap (RFC 5545, section 3.3.5), with cron to the first instant after the gap, as cron
///   daemons do.
/// - A slot that comes twice is due once, the first time.
/// - Each instant is due once: of several slots that lead to the same instant, such as those of
///   `*/15 * * * *` in a gap, the first stands for all.
package struct Occurrences: Hashable, Sendable {
    package let pattern: SlotPattern
    package let zone: TimeZoneRules

    package init(_ pattern: SlotPattern, in zone: TimeZoneRules) {
        self.pattern = pattern
        self.zone = zone
    }

    /// The moments later than `instant`, ascending and made as they are asked for.
    package func moments(after instant: Instant) -> some Sequence<SlotMoment> {
        OccurrenceIterator(self, after: instant)
    }

    /// At most `count` moments later than `instant`, ascending.
    package func next(after instant: Instant, count: Int) -> [SlotMoment] {
        Array(moments(after: instant).prefix(max(0, count)))
    }

    func place(_ slot: CivilDateTime) -> SlotMoment {
        switch zone.resolve(slot) {
        case .unique(let moment):
            return SlotMoment(slot: slot, moment: moment, note: .none)
        case .doubled(let first, _):
            return SlotMoment(slot: slot, moment: first, note: .firstOfTwo)
        case .skipped(let moved, let gapSeconds):
            return SlotMoment(
                slot: slot,
                moment: isCron ? zone.endOfGap(over: slot, movedTo: moved) : moved,
                note: .movedForward(gapSeconds: gapSeconds)
            )
        }
    }

    /// No slot later than `place(_:)` has put this one is due before that.
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
    /// The instant at which clocks jump over `local`; `moved` is less than the gap's length later.
    fileprivate func endOfGap(over local: CivilDateTime, movedTo moved: Instant) -> Instant {
        let range = moved.advanced(bySeconds: -longestGap)..<moved.advanced(bySeconds: 1)
        return clockChanges(in: range).last { change in
            localTime(at: change.advanced(bySeconds: -1)) < local && local < localTime(at: change)
        } ?? moved
    }

    /// A local time behind which every slot lies that is due after `instant`.
    ///
    /// What clocks show then; within a gap's length of the gap what they showed before it, as
    /// the slots of the gap are due later than the clocks' own times behind it.
    func localTime(beforeSlotsAfter instant: Instant) -> CivilDateTime {
        let range = instant.advanced(bySeconds: -longestGap)..<instant.advanced(bySeconds: 1)
        let beforeGaps = clockChanges(in: range).compactMap { change -> CivilDateTime? in
            let before = change.advanced(bySeconds: -1)
            let gap = offset(at: change).seconds - offset(at: before).seconds
            return change.advanced(bySeconds: Int64(gap)) > instant ? localTime(at: before) : nil
        }
        return (beforeGaps + [localTime(at: instant)]).min() ?? localTime(at: instant)
    }

    /// More than any two offsets differ by (`UTCOffset.allowedSeconds`).
    private var longestGap: Int64 { 51 * 3600 }
}

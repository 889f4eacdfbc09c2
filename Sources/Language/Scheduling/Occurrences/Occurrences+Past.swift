package import Time

extension Occurrences {
    /// Returns the last matching slot that is due after `start` and not after `end`, or nil.
    ///
    /// It searches backwards in growing steps, so the work does not depend on the number of slots
    /// in between.
    package func last(
        after start: Instant,
        upTo end: Instant,
        where isWanted: (SlotMoment) -> Bool
    ) -> SlotMoment? {
        guard start < end else { return nil }
        var reach: Int64 = 3_600
        while true {
            let from = max(start, end.advanced(bySeconds: -reach))
            var last: SlotMoment?
            for moment in moments(after: from) {
                guard moment.moment <= end else { break }
                if isWanted(moment) { last = moment }
            }
            if last != nil || from <= start { return last }
            reach *= 8
        }
    }

    /// Returns a slot's due time.
    ///
    /// nil if the schedule does not contain the slot, clocks skip it and nothing makes up for it, or
    /// another slot with the same due time represents it.
    package func moment(of slot: CivilDateTime) -> SlotMoment? {
        guard let placed = place(slot) else { return nil }
        let first = next(after: placed.moment.advanced(bySeconds: -1), count: 1).first
        return first?.slot == slot ? first : nil
    }
}

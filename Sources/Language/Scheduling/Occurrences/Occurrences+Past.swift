package import Time

extension Occurrences {
    /// The last moment later than `start` and not later than `end`; nil where there is none.
    ///
    /// It looks back in growing steps, so the work does not grow with the moments in between.
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

    /// The moment of a slot; nil where the schedule does not have it, or another slot of the same
    /// moment stands for it.
    package func moment(of slot: CivilDateTime) -> SlotMoment? {
        let placed = place(slot)
        let first = next(after: placed.moment.advanced(bySeconds: -1), count: 1).first
        return first?.slot == slot ? first : nil
    }
}

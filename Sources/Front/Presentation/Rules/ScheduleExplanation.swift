package import Scheduling
package import Time

/// The meaning of a schedule and its next due times.
package struct ScheduleExplanation: Sendable {
    let wording: [RuleWording]
    let occurrences: Occurrences
    let from: Instant
    let count: Int

    package init(wording: [RuleWording], occurrences: Occurrences, from: Instant, count: Int) {
        self.wording = wording
        self.occurrences = occurrences
        self.from = from
        self.count = count
    }

    var moments: [SlotMoment] { occurrences.next(after: from, count: count) }
}

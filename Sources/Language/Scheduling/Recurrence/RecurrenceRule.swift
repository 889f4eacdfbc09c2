package import Time

/// Local times that a recurrence rule chooses: `RRULE` with its `DTSTART` and `EXDATE`s (RFC
/// 5545, section 3.8.5).
///
/// All of it is on the wall clock: what a zone's clocks make of a slot is ``Occurrences``' part.
/// The start is a slot only where it matches the rule; RFC 5545 leaves that case undefined.
/// There is always a slot, unless every one is an exception.
package struct RecurrenceRule: Hashable, Sendable {
    package enum End: Hashable, Sendable {
        case never
        /// So many slots from the start on, exceptions among them.
        case count(Int)
        /// The last slot is not after this local time.
        case until(CivilDateTime)
        /// The last slot's moment is not after this instant; only ``Occurrences`` knows moments.
        case untilInstant(Instant)
    }

    /// `DTSTART`: the first slot is not before it, and what the rule leaves open comes from it.
    package let start: CivilDateTime
    package let end: End
    /// `EXDATE`: slots that are left out.
    package let exceptions: Set<CivilDateTime>

    let frequency: RecurrenceFrequency
    /// At least 1.
    let interval: Int
    let weekStart: Weekday
    let days: RecurrenceDays
    /// `BYHOUR`, `BYMINUTE`, `BYSECOND`; nil where the rule has none.
    let hours: [Int]?
    let minutes: [Int]?
    let seconds: [Int]?
    /// `BYSETPOS`: which slots of a period are meant, -1 the last; empty for all.
    let positions: [Int]

    /// Reads the parts of an `RRULE`, such as `FREQ=MONTHLY;BYDAY=-1FR`, with or without
    /// `RRULE:` before them.
    ///
    /// - Throws: what is wrong and where, or that the rule never happens.
    package init(
        parsing text: some StringProtocol,
        start: CivilDateTime,
        exceptions: Set<CivilDateTime> = []
    ) throws(RecurrenceError) {
        let parts = try RecurrenceParts(text)
        self.start = start
        self.exceptions = exceptions
        frequency = parts.frequency
        interval = parts.interval
        weekStart = parts.weekStart
        end = parts.end
        days = RecurrenceDays(parts, start: start.date)
        hours = parts.numbers[.byHour]
        minutes = parts.numbers[.byMinute]
        seconds = parts.numbers[.bySecond]
        positions = parts.numbers[.bySetPosition] ?? []
        var slots = RecurrenceSlots(self, after: nil)
        guard slots.nextNominal() != nil else {
            throw RecurrenceError(.neverMatches, at: parts.text.range)
        }
    }

    /// The slots later than `local`, ascending; from the first on without it.
    ///
    /// Without `COUNT` the work does not depend on how long ago the rule started; with it, it
    /// grows with the slots since then. A rule that gives nothing for 400 years has ended.
    package func slots(after local: CivilDateTime? = nil) -> some Sequence<CivilDateTime> {
        RecurrenceSlots(self, after: local)
    }
}

/// `FREQ`, without `SECONDLY`; ascending.
enum RecurrenceFrequency: String, Hashable, Sendable, CaseIterable {
    case minutely = "MINUTELY"
    case hourly = "HOURLY"
    case daily = "DAILY"
    case weekly = "WEEKLY"
    case monthly = "MONTHLY"
    case yearly = "YEARLY"
}

/// A weekday of `BYDAY`: each, or the one counted from the front (1) or from behind (-1).
struct OrdinalWeekday: Hashable, Sendable {
    let ordinal: Int?
    let weekday: Weekday
}

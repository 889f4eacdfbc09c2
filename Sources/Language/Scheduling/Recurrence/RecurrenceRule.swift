package import Time

/// The local times that a recurrence rule matches: `RRULE` with its `DTSTART` and `EXDATE`s (RFC
/// 5545, section 3.8.5).
///
/// All values are local times; ``Occurrences`` applies the time zone. The start is a slot only if
/// it matches the rule; RFC 5545 leaves that case undefined. There is at least one slot, unless all
/// are exceptions.
package struct RecurrenceRule: Hashable, Sendable {
    package enum End: Hashable, Sendable {
        case never
        /// The number of slots from the start on, including exceptions.
        case count(Int)
        /// The last slot is not after this local time.
        case until(CivilDateTime)
        /// No slot is due after this instant; only ``Occurrences`` knows due times.
        case untilInstant(Instant)
    }

    /// `DTSTART`: no slot is earlier; values that the rule omits come from it.
    package let start: CivilDateTime
    package let end: End
    /// `EXDATE`: excluded slots.
    package let exceptions: Set<CivilDateTime>

    let frequency: RecurrenceFrequency
    /// At least 1.
    let interval: Int
    let weekStart: Weekday
    let days: RecurrenceDays
    /// `BYHOUR`, `BYMINUTE`, `BYSECOND`; nil if the rule has none.
    let hours: [Int]?
    let minutes: [Int]?
    let seconds: [Int]?
    /// `BYSETPOS`: the selected slots of a period, -1 for the last; empty means all.
    let positions: [Int]

    /// Returns the error of each part that cannot be read by itself.
    package static func errors(parsing text: some StringProtocol) -> [RecurrenceError] {
        RecurrenceParts.errors(in: text)
    }

    /// Reads the parts of an `RRULE`, such as `FREQ=MONTHLY;BYDAY=-1FR`, with or without the prefix
    /// `RRULE:`.
    ///
    /// - Throws: The error and its place, including that the rule never matches.
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

    /// Returns the slots later than `local`, or all slots if it is nil, in ascending order.
    ///
    /// Without `COUNT`, the work does not depend on the age of the rule; with it, the work is
    /// proportional to the slots since the start. A rule without slots for 400 years has ended.
    package func slots(after local: CivilDateTime? = nil) -> some Sequence<CivilDateTime> {
        RecurrenceSlots(self, after: local)
    }
}

/// `FREQ`, without `SECONDLY`; in ascending order.
enum RecurrenceFrequency: String, Hashable, Sendable, CaseIterable {
    case minutely = "MINUTELY"
    case hourly = "HOURLY"
    case daily = "DAILY"
    case weekly = "WEEKLY"
    case monthly = "MONTHLY"
    case yearly = "YEARLY"
}

/// A weekday of `BYDAY`: all, or one counted from the start (1) or from the end (-1).
struct OrdinalWeekday: Hashable, Sendable {
    let ordinal: Int?
    let weekday: Weekday
}

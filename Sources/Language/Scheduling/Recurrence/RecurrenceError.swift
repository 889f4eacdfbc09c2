/// Why a text is not a recurrence rule.
package struct RecurrenceError: Error, Hashable, Sendable {
    package enum Problem: Hashable, Sendable {
        case missingFrequency
        /// Not of the form `NAME=VALUE`.
        case notAPart(String)
        case unknownPart(String)
        case repeatedPart(RecurrencePart)
        /// Outside the part's domain.
        case value(RecurrencePart, String)
        /// `FREQ=SECONDLY`.
        case secondly
        case countAndUntil
        /// A part that RFC 5545 forbids at this frequency.
        case meaningless(RecurrencePart, at: String)
        /// `BYDAY=2MO` at a frequency below monthly.
        case ordinals(at: String)
        case ordinalsWithWeekNumbers
        /// `BYSETPOS` without another `BY…` part.
        case positionsOfNothing
        /// A well-formed rule that matches nothing between its start and its end.
        case neverMatches
    }

    package let problem: Problem
    /// The place in UTF-8 offsets of the text.
    package let range: Range<Int>

    init(_ problem: Problem, at range: Range<Int>) {
        self.problem = problem
        self.range = range
    }
}

extension RecurrenceError {
    /// Describes the error; it quotes the rule, which may be untrusted.
    package var message: String {
        switch problem {
        case .missingFrequency: "the rule has no FREQ"
        case .notAPart(""): "a part of the rule is missing"
        case .notAPart(let text): "`\(text)` is not a part of a rule"
        case .unknownPart(let name): "there is no part `\(name)`"
        case .repeatedPart(let part): "\(part.rawValue) is given twice"
        case .value(let part, ""): "a value of \(part.rawValue) is missing"
        case .value(let part, let text): "`\(text)` is not a value of \(part.rawValue)"
        case .secondly: "FREQ=SECONDLY is not supported"
        case .countAndUntil: "COUNT and UNTIL cannot be combined"
        case .meaningless(let part, let frequency):
            "\(part.rawValue) has no meaning with FREQ=\(frequency)"
        case .ordinals(let frequency): "a numbered weekday has no meaning with FREQ=\(frequency)"
        case .ordinalsWithWeekNumbers: "a numbered weekday has no meaning with BYWEEKNO"
        case .positionsOfNothing: "BYSETPOS needs another BY part to choose from"
        case .neverMatches: "this never matches"
        }
    }

    /// Describes the expected form, or the text to write instead.
    package var help: String {
        switch problem {
        case .missingFrequency, .secondly: Self.expected(.frequency)
        case .notAPart: "write NAME=VALUE with `;` between the parts: `FREQ=WEEKLY;BYDAY=MO`"
        case .unknownPart:
            "the parts are " + NumberWording.join(RecurrencePart.allCases.map(\.rawValue))
        case .repeatedPart(let part):
            part.numbers == nil && part != .byDay
                ? "keep one of them" : "write one list: `\(part.rawValue)=1,2`"
        case .value(let part, _): Self.expected(part)
        case .countAndUntil: "keep only one of them"
        case .meaningless(.byWeekNumber, _): "use it with FREQ=YEARLY"
        case .meaningless(.byYearDay, _): "use it with FREQ=YEARLY, HOURLY or MINUTELY"
        case .meaningless: "write FREQ=MONTHLY, or BYDAY for days of the week"
        case .ordinals: "write the weekday alone, or FREQ=MONTHLY or YEARLY"
        case .ordinalsWithWeekNumbers: "write the weekday alone: each week has one"
        case .positionsOfNothing: "use it as in `FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1`"
        case .neverMatches: "check the days against the calendar, and the end against the start"
        }
    }

    private static func expected(_ part: RecurrencePart) -> String {
        switch part {
        case .frequency: "write FREQ=YEARLY, MONTHLY, WEEKLY, DAILY, HOURLY or MINUTELY"
        case .until: "write `20370320T073000` in local time, or add `Z` for UTC"
        case .count, .interval: "write a number from 1"
        case .weekStart: "write one of MO, TU, WE, TH, FR, SA, SU"
        case .byDay:
            "write MO, TU, WE, TH, FR, SA or SU, with `2` or `-1` before it to select one"
        case .bySecond, .byMinute, .byHour, .byMonthDay, .byYearDay, .byWeekNumber, .byMonth,
            .bySetPosition:
            expectedNumbers(part)
        }
    }

    private static func expectedNumbers(_ part: RecurrencePart) -> String {
        guard let range = part.numbers else { return "" }
        let signed = part.isSigned ? ", or negative to count from the end" : ""
        return "write \(range.lowerBound) to \(range.upperBound)\(signed)"
    }
}

/// Why a text is not a cron expression.
package struct CronError: Error, Hashable, Sendable {
    package enum Problem: Hashable, Sendable {
        /// A macro such as `@daily`.
        case macro(String)
        /// Five fields are required.
        case fieldCount(Int)
        /// Neither a number in the field's range nor one of its names.
        case value(CronField, String)
        case descendingRange(CronField, from: Int, to: Int)
        /// Not a number of at least 1.
        case step(String)
        /// A step needs `*` or a range before it.
        case stepOfSingleValue(CronField, Int)
        /// Only the first value would match.
        case stepTooLong(Int, of: ClosedRange<Int>)
        /// The text after `#`, which must be 1 to 5.
        case ordinal(String)
        /// A well-formed expression that matches no day, such as `0 0 31 2 *`.
        case neverMatches
    }

    package let problem: Problem
    /// The place in UTF-8 offsets of the expression; empty if something is missing.
    package let range: Range<Int>

    init(_ problem: Problem, at range: Range<Int>) {
        self.problem = problem
        self.range = range
    }
}

extension CronError {
    /// Describes the error; it quotes the expression, which may be untrusted.
    package var message: String {
        switch problem {
        case .macro(let name): "`\(name)` is not a cron expression with five fields"
        case .fieldCount(let count): "a cron expression has five fields, not \(count)"
        case .value(let field, ""): "the \(field.wording) is missing"
        case .value(let field, let text): "`\(text)` is not a valid \(field.wording)"
        case .descendingRange(let field, let lower, let upper):
            "the range from \(field.name(lower)) to \(field.name(upper)) runs backwards"
        case .step(let text):
            text.isEmpty ? "the step is missing" : "`\(text)` is not a step"
        case .stepOfSingleValue: "a step needs `*` or a range before it"
        case .stepTooLong(let step, let range):
            "a step of \(step) exceeds \(range.lowerBound) to \(range.upperBound): only "
                + "\(range.lowerBound) would match"
        case .ordinal(let text):
            text.isEmpty ? "the number after `#` is missing" : "`\(text)` cannot follow `#`"
        case .neverMatches: "this never matches: no year has such a day"
        }
    }

    /// Describes the expected form, or the text to write instead.
    package var help: String {
        switch problem {
        case .macro(let name):
            Self.macros[name.lowercased()].map { "write `\($0)`" } ?? Self.form
        case .fieldCount(6): Self.form + "; seconds and years are not supported"
        case .fieldCount: Self.form
        case .value(let field, let text): help(for: field, text: text)
        case .descendingRange(.dayOfWeek, let lower, 0):
            "at the end of a range, Sunday is 7: write `\(lower)-7`"
        case .descendingRange(let field, let lower, let upper):
            "write two ranges: `\(lower)-\(field.values.upperBound),"
                + "\(field.values.lowerBound)-\(upper)`"
        case .step: "write a step as a number from 1, as in `*/15`"
        case .stepOfSingleValue(let field, let value):
            "write `\(value)-\(field.values.upperBound)/…`"
        case .stepTooLong(_, let range): "write `\(range.lowerBound)`, or a shorter step"
        case .ordinal: "write 1 to 5, as in `5#2` for the second Friday, or `5L` for the last"
        case .neverMatches:
            "check day and month against the calendar; `L` is the last day of a month"
        }
    }

    private func help(for field: CronField, text: String) -> String {
        let letters = text.uppercased()
        if field == .dayOfMonth, letters.contains("L") || letters.contains("W") {
            return "the only letter allowed here is `L`, the last day of the month"
        }
        return switch field {
        case .minute: "write 0 to 59, `*`, a list `0,30`, a range `0-29` or a step `*/15`"
        case .hour: "write 0 to 23, `*`, a list `8,18`, a range `8-18` or a step `*/2`"
        case .dayOfMonth: "write 1 to 31, `*`, `L` for the last day, a list, a range or a step"
        case .month: "write 1 to 12, JAN to DEC, `*`, a list, a range or a step"
        case .dayOfWeek:
            "write 0 to 7 (0 and 7 are Sunday), SUN to SAT, `*`, a list, a range, `5L` or `5#2`"
        }
    }

    private static let form = "write minute, hour, day of month, month, day of week: `30 7 * * MON`"

    private static let macros = [
        "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *",
        "@weekly": "0 0 * * 0", "@daily": "0 0 * * *", "@midnight": "0 0 * * *",
        "@hourly": "0 * * * *",
    ]
}

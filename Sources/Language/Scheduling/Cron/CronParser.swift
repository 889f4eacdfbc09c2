/// Reads a cron expression of five fields.
struct CronParser {
    private let text: TextPart

    init(_ text: some StringProtocol) {
        self.text = TextPart(text)
    }

    func schedule() throws(CronError) -> CronSchedule {
        let words = text.words()
        if let macro = words.first, macro.first == UInt8(ascii: "@") {
            throw CronError(.macro(macro.text), at: macro.range)
        }
        guard words.count == CronField.allCases.count else { throw fieldCount(words) }
        let schedule = CronSchedule(
            minutes: try numbers(words[0], in: .minute),
            hours: try numbers(words[1], in: .hour),
            days: try days(monthDays: words[2], weekdays: words[4]),
            months: try numbers(words[3], in: .month),
            makesUpSkippedTimes: !words[..<2].contains { $0.first == UInt8(ascii: "*") }
        )
        guard !schedule.isEmpty else {
            let last = words[4].text == "*" ? words[3] : words[4]
            throw CronError(.neverMatches, at: words[2].range.lowerBound..<last.range.upperBound)
        }
        return schedule
    }

    /// The first error of each field, in the order of the text.
    func errors() -> [CronError] {
        let words = text.words()
        var found: [CronError] = []
        if words.count == CronField.allCases.count, words[0].first != UInt8(ascii: "@") {
            let any = TextPart("*")
            found = [
                failure { () throws(CronError) in _ = try numbers(words[0], in: .minute) },
                failure { () throws(CronError) in _ = try numbers(words[1], in: .hour) },
                failure { () throws(CronError) in
                    _ = try days(monthDays: words[2], weekdays: any)
                },
                failure { () throws(CronError) in _ = try numbers(words[3], in: .month) },
                failure { () throws(CronError) in
                    _ = try days(monthDays: any, weekdays: words[4])
                },
            ].compactMap(\.self)
        }
        guard found.isEmpty else { return found }
        return [failure { () throws(CronError) in _ = try schedule() }].compactMap(\.self)
    }

    private func failure(of check: () throws(CronError) -> Void) -> CronError? {
        do throws(CronError) {
            try check()
            return nil
        } catch {
            return error
        }
    }

    /// Points at the surplus fields, or after the existing ones if fields are missing.
    private func fieldCount(_ words: [TextPart]) -> CronError {
        let end = words.last?.range.upperBound ?? text.range.upperBound
        let surplus = words.dropFirst(CronField.allCases.count).first
        return CronError(.fieldCount(words.count), at: (surplus?.range.lowerBound ?? end)..<end)
    }

    private func days(monthDays: TextPart, weekdays: TextPart) throws(CronError) -> CronDays {
        var days = CronDays()
        for item in monthDays.split(at: ",") {
            if item.uppercased == "L" {
                days.hasLastDay = true
            } else {
                days.monthDays.formUnion(try numbers(ofItem: item, in: .dayOfMonth))
            }
        }
        for item in weekdays.split(at: ",") { try addWeekdays(item, to: &days) }
        let areBothRestricted = ![monthDays, weekdays].contains { $0.first == UInt8(ascii: "*") }
        days.combination = areBothRestricted ? .either : .both
        return days
    }

    /// Reads `5L` (the last Friday), `5#2` (the second Friday), or every such weekday.
    private func addWeekdays(_ item: TextPart, to days: inout CronDays) throws(CronError) {
        if let (day, ordinal) = item.halves(at: "#") {
            let weekday = try value(day, in: .dayOfWeek) % 7
            guard let number = ordinal.number, (1...5).contains(number) else {
                throw CronError(
                    .ordinal(ordinal.text),
                    at: ordinal.isEmpty ? item.range : ordinal.range
                )
            }
            days.ordinalWeekdays.insert(number * 7 + weekday)
        } else if item.suffix(1).uppercased == "L", !item.dropLast().isEmpty {
            days.lastWeekdays.insert(try value(item.dropLast(), in: .dayOfWeek) % 7)
        } else {
            days.weekdays.formUnion(
                NumberSet(try numbers(ofItem: item, in: .dayOfWeek).numbers.map { $0 % 7 })
            )
        }
    }

    private func numbers(_ word: TextPart, in field: CronField) throws(CronError) -> NumberSet {
        var set = NumberSet()
        for item in word.split(at: ",") { set.formUnion(try numbers(ofItem: item, in: field)) }
        return set
    }

    /// Reads `*`, a value or `a-b`; `/n` may follow a star or a range.
    private func numbers(
        ofItem item: TextPart,
        in field: CronField
    ) throws(CronError) -> NumberSet {
        guard let (base, stepText) = item.halves(at: "/") else {
            return NumberSet(try range(item, in: field))
        }
        let range = try range(base, in: field)
        guard base.text == "*" || base.halves(at: "-") != nil else {
            throw CronError(.stepOfSingleValue(field, range.lowerBound), at: item.range)
        }
        guard let step = stepText.number, step > 0 else {
            throw CronError(
                .step(stepText.text),
                at: stepText.isEmpty ? item.range : stepText.range
            )
        }
        guard step == 1 || step < range.count else {
            throw CronError(.stepTooLong(step, of: range), at: stepText.range)
        }
        return NumberSet(stride(from: range.lowerBound, through: range.upperBound, by: step))
    }

    private func range(
        _ part: TextPart,
        in field: CronField
    ) throws(CronError) -> ClosedRange<Int> {
        if part.text == "*" { return field.values }
        guard let (first, last) = part.halves(at: "-"), !first.isEmpty, !last.isEmpty else {
            let value = try value(part, in: field)
            return value...value
        }
        let (lower, upper) = (try value(first, in: field), try value(last, in: field))
        guard lower <= upper else {
            throw CronError(.descendingRange(field, from: lower, to: upper), at: part.range)
        }
        return lower...upper
    }

    private func value(_ part: TextPart, in field: CronField) throws(CronError) -> Int {
        guard let value = field.value(part) else {
            throw CronError(.value(field, part.text), at: part.range)
        }
        return value
    }
}

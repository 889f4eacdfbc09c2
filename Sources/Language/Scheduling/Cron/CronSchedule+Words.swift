extension CronSchedule {
    /// The meaning of each field, in order, and of the combination of the two day fields.
    package var words: [RuleWording] {
        [
            words(.minute, minutes), words(.hour, hours),
            RuleWording(part: CronField.dayOfMonth.words, meaning: monthDayWords),
            words(.month, months),
            RuleWording(part: CronField.dayOfWeek.words, meaning: weekdayWords),
        ] + combinationWords
    }

    private func words(_ field: CronField, _ set: NumberSet) -> RuleWording {
        RuleWording(
            part: field.words,
            meaning: meaning(field, set.numbers) ?? "every \(field.words)"
        )
    }

    /// nil if the set contains all values of the field.
    private func meaning(_ field: CronField, _ numbers: [Int]) -> String? {
        numbers == Array(field.values)
            ? nil : NumberWording.list(numbers, name: field.name)
    }

    private var monthDayWords: String {
        let numbers = days.monthDays.numbers
        guard let words = meaning(.dayOfMonth, numbers) else { return "every day" }
        guard days.hasLastDay else { return words }
        return (numbers.isEmpty ? "" : words + ", and ") + "the last day of the month"
    }

    private var weekdayWords: String {
        let numbers = days.weekdays.numbers
        guard let plain = meaning(.dayOfWeek, numbers) else { return "every day" }
        let last = days.lastWeekdays.numbers.map { "the last \(CronField.dayOfWeek.name($0))" }
        let ordinal = days.ordinalWeekdays.numbers.map { number in
            "the \(NumberWording.ordinal(number / 7)) \(CronField.dayOfWeek.name(number % 7))"
        }
        return NumberWording.join((numbers.isEmpty ? [] : [plain]) + ordinal + last)
    }

    private var combinationWords: [RuleWording] {
        let areBothRestricted = monthDayWords != "every day" && weekdayWords != "every day"
        guard areBothRestricted else { return [] }
        return [
            RuleWording(
                part: "days",
                meaning: days.combination == .either
                    ? "either field may match, because both are restricted"
                    : "both fields must match, because one starts with `*`"
            )
        ]
    }
}

extension CronSchedule {
    /// The meaning of each field, in order, and of the combination of the two day fields.
    package var wording: [RuleWording] {
        [
            wording(of: .minute, numbers: minutes), wording(of: .hour, numbers: hours),
            RuleWording(part: CronField.dayOfMonth.wording, meaning: monthDayWording),
            wording(of: .month, numbers: months),
            RuleWording(part: CronField.dayOfWeek.wording, meaning: weekdayWording),
        ] + combinationWording
    }

    private func wording(of field: CronField, numbers set: NumberSet) -> RuleWording {
        RuleWording(
            part: field.wording,
            meaning: meaning(of: field, numbers: set.numbers) ?? "every \(field.wording)"
        )
    }

    /// nil if the set contains all values of the field.
    private func meaning(of field: CronField, numbers: [Int]) -> String? {
        numbers == Array(field.values)
            ? nil : NumberWording.list(numbers, name: field.name)
    }

    private var monthDayWording: String {
        let numbers = days.monthDays.numbers
        guard let wording = meaning(of: .dayOfMonth, numbers: numbers) else { return "every day" }
        guard days.hasLastDay else { return wording }
        return (numbers.isEmpty ? "" : wording + ", and ") + "the last day of the month"
    }

    private var weekdayWording: String {
        let numbers = days.weekdays.numbers
        guard let plain = meaning(of: .dayOfWeek, numbers: numbers) else { return "every day" }
        let last = days.lastWeekdays.numbers.map { "the last \(CronField.dayOfWeek.name($0))" }
        let ordinal = days.ordinalWeekdays.numbers.map { number in
            "the \(NumberWording.ordinal(number / 7)) \(CronField.dayOfWeek.name(number % 7))"
        }
        return NumberWording.join((numbers.isEmpty ? [] : [plain]) + ordinal + last)
    }

    private var combinationWording: [RuleWording] {
        let areBothRestricted = monthDayWording != "every day" && weekdayWording != "every day"
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

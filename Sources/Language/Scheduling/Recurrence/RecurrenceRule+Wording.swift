import Time

extension RecurrenceRule {
    /// Describes the rule's parts in reading order.
    package var wording: [RuleWording] {
        var wording = [
            RuleWording(part: "every", meaning: frequencyWording),
            RuleWording(part: "start", meaning: start.description),
        ]
        wording += days.wording
        wording += [
            ("hours", hours), ("minutes", minutes), ("seconds", seconds),
        ].compactMap { part, numbers in
            numbers.map { RuleWording(part: part, meaning: NumberWording.list($0)) }
        }
        if !positions.isEmpty {
            wording.append(
                RuleWording(part: "of these", meaning: NumberWording.ordinals(positions))
            )
        }
        if let endWording { wording.append(RuleWording(part: "end", meaning: endWording)) }
        if !exceptions.isEmpty {
            let texts = exceptions.sorted().map(\.description)
            wording.append(RuleWording(part: "except", meaning: NumberWording.join(texts)))
        }
        return wording
    }

    private var frequencyWording: String {
        let unit =
            switch frequency {
            case .yearly: "year"
            case .monthly: "month"
            case .weekly: "week"
            case .daily: "day"
            case .hourly: "hour"
            case .minutely: "minute"
            }
        let start =
            frequency == .weekly && interval > 1 ? ", which begins on \(weekStart.englishName)" : ""
        return interval == 1 ? unit : "\(NumberWording.ordinal(interval)) \(unit)\(start)"
    }

    private var endWording: String? {
        switch end {
        case .never: nil
        case .count(let count): "after \(count) \(count == 1 ? "time" : "times")"
        case .until(let local): local.description
        case .untilInstant(let instant): instant.utcText
        }
    }
}

extension RecurrenceDays {
    /// The days that the rule matches, including values that it omits.
    var wording: [RuleWording] {
        let scope = countsInYear ? "of the year" : "of the month"
        let parts: [(String, [String])] = [
            ("months", months.sorted().map(MonthNames.name)),
            ("weeks", NumberWording.ordinalList(weekNumbers)),
            ("days of the year", NumberWording.ordinalList(yearDays)),
            ("days of the month", NumberWording.ordinalList(monthDays)),
            ("weekdays", weekdays.sorted().map { $0.wording(scope) }),
        ]
        return parts.filter { !$0.1.isEmpty }.map { part, wording in
            RuleWording(part: part, meaning: NumberWording.join(wording))
        }
    }
}

extension OrdinalWeekday: Comparable {
    /// Sorts from Monday, each weekday before its numbered ones.
    static func < (left: OrdinalWeekday, right: OrdinalWeekday) -> Bool {
        left.order < right.order
    }

    private var order: (Int, Int) { ((weekday.rawValue + 6) % 7, ordinal ?? 0) }

    fileprivate func wording(_ scope: String) -> String {
        guard let ordinal else { return weekday.englishName }
        return "the \(NumberWording.ordinal(ordinal)) \(weekday.englishName) \(scope)"
    }
}

extension NumberWording {
    static func ordinalList(_ numbers: Set<Int>) -> [String] {
        let front = numbers.filter { $0 > 0 }.sorted()
        let behind = numbers.filter { $0 < 0 }.sorted()
        return (front + behind).map(ordinal)
    }

    static func ordinals(_ numbers: [Int]) -> String { join(ordinalList(Set(numbers))) }
}

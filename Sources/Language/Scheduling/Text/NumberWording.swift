import Time

/// Formats sets of numbers as English text.
enum NumberWording {
    /// `0 to 45 in steps of 15`, `Monday to Friday`, `1, 15 and 28`.
    static func list(_ numbers: [Int], name: (Int) -> String = { String($0) }) -> String {
        guard let first = numbers.first, let last = numbers.last else { return "none" }
        if numbers.count > 3, let step = step(numbers), step > 1 {
            return "\(name(first)) to \(name(last)) in steps of \(step)"
        }
        let words = runs(numbers).flatMap { run in
            run.count > 2
                ? ["\(name(run.lowerBound)) to \(name(run.upperBound))"] : run.map(name)
        }
        return join(words)
    }

    /// `a`, `a and b`, `a, b and c`.
    static func join(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " and " + last
    }

    /// `1st`, `2nd`, `last`, `2nd to last`.
    static func ordinal(_ number: Int) -> String {
        if number == -1 { return "last" }
        guard number > 0 else { return "\(ordinal(-number)) to last" }
        let suffix =
            switch (number % 100, number % 10) {
            case (11...13, _): "th"
            case (_, 1): "st"
            case (_, 2): "nd"
            case (_, 3): "rd"
            default: "th"
            }
        return "\(number)\(suffix)"
    }

    /// `1 h`, `30 min`, `1 h 30 min`, `24 h`.
    static func duration(seconds: Int) -> String {
        let parts = [(seconds / 3600, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s")]
        let words = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return words.isEmpty ? "0 s" : words.joined(separator: " ")
    }

    private static func step(_ numbers: [Int]) -> Int? {
        let steps = Set(zip(numbers.dropFirst(), numbers).map { $0 - $1 })
        return steps.count == 1 ? steps.first : nil
    }

    private static func runs(_ numbers: [Int]) -> [ClosedRange<Int>] {
        var runs: [ClosedRange<Int>] = []
        for number in numbers {
            if let last = runs.last, last.upperBound == number - 1 {
                runs[runs.count - 1] = last.lowerBound...number
            } else {
                runs.append(number...number)
            }
        }
        return runs
    }
}

extension Weekday {
    /// The English name, such as `Monday`.
    package var englishName: String {
        switch self {
        case .sunday: "Sunday"
        case .monday: "Monday"
        case .tuesday: "Tuesday"
        case .wednesday: "Wednesday"
        case .thursday: "Thursday"
        case .friday: "Friday"
        case .saturday: "Saturday"
        }
    }
}

/// The names of the months, numbered from 1.
enum MonthNames {
    static let english = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]

    static func name(_ month: Int) -> String {
        english.indices.contains(month - 1) ? english[month - 1] : String(month)
    }
}

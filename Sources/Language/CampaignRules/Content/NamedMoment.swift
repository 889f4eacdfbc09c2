import Text

/// Finds parts of a text that refer to a day or an hour.
///
/// Examples are `Saturday`, `09:00`, `5 pm`, `2037-03-20`, `20 March`, `tonight`. Only English
/// words and ISO 8601 dates are recognized. Weekdays and months must be complete and capitalized.
enum NamedMoment {
    /// Returns the first such part of a text, unchanged.
    static func first(in text: String) -> String? {
        let words = Words(text)
        return words.words.indices.lazy.compactMap { moment(at: $0, in: words) }.first
    }

    private static func moment(at index: Int, in words: Words) -> String? {
        guard let word = words[index] else { return nil }
        if weekdays.contains(word.text) || relative.contains(word.text.lowercased()) {
            return word.text
        }
        if let last = hour(at: index, in: words) {
            // The hour of `10:30am` is before its minutes.
            let first = words.scalar(before: index) == ":" ? index - 1 : index
            return words.text(from: first, through: last)
        }
        let last = [clockTime, date, dayOfMonth].lazy.compactMap { $0(index, words) }.first
        return last.map { words.text(from: index, through: $0) }
    }

    /// Matches `09:00`; both parts have two digits, because `2:45` may be a duration or a score.
    private static func clockTime(at index: Int, in words: Words) -> Int? {
        guard let hour = twoDigits(words[index]), hour < 24, words.gap(after: index) == ":",
            let minute = twoDigits(words[index + 1]), minute < 60,
            !isJoined(index, in: words)
        else { return nil }
        return index + 1
    }

    /// Matches `5 pm`, `10:30am`, `9 a.m`.
    private static func hour(at index: Int, in words: Words) -> Int? {
        guard let word = words[index],
            !isJoined(index, in: words) || words[index - 1]?.number != nil
        else { return nil }
        let lower = word.text.lowercased()
        if ["am", "pm"].contains(String(lower.suffix(2))), isOfClock(lower.dropLast(2)) {
            return index
        }
        guard isOfClock(lower[...]), words.gap(after: index) == " ",
            let next = words[index + 1]?.text.lowercased()
        else { return nil }
        if next == "am" || next == "pm" { return index + 1 }
        let isSpelled = next == "a" || next == "p"
        return isSpelled && words.gap(after: index + 1) == "."
            && words[index + 2]?.text.lowercased() == "m" ? index + 2 : nil
    }

    private static func isOfClock(_ digits: Substring) -> Bool {
        (1...2).contains(digits.utf8.count) && digits.utf8.allSatisfy(\.isASCIIDigit)
            && (Int(digits).map { $0 < 60 } ?? false)
    }

    private static func date(at index: Int, in words: Words) -> Int? {
        guard words[index]?.looksLikeYear == true, words.gap(after: index) == "-",
            let month = twoDigits(words[index + 1]), (1...12).contains(month),
            words.gap(after: index + 1) == "-",
            let day = twoDigits(words[index + 2]), (1...31).contains(day)
        else { return nil }
        return index + 2
    }

    /// Matches `20 March`, `March 20`.
    private static func dayOfMonth(at index: Int, in words: Words) -> Int? {
        guard let one = words[index], let next = words[index + 1],
            words.gap(after: index) == " "
        else { return nil }
        let isDate =
            months.contains(one.text) && isDay(next) || isDay(one) && months.contains(next.text)
        return isDate ? index + 1 : nil
    }

    private static func isDay(_ word: Words.Word) -> Bool {
        let digits = word.text.prefix { $0.isNumber }
        let ending = word.text.dropFirst(digits.count)
        return ["", "st", "nd", "rd", "th"].contains(ending)
            && (Int(digits).map { (1...31).contains($0) } ?? false)
    }

    private static func twoDigits(_ word: Words.Word?) -> Int? {
        word?.digits?.utf8.count == 2 ? word?.number : nil
    }

    /// Whether it continues a number, as in `1:09:00` and `3.10:15`.
    private static func isJoined(_ index: Int, in words: Words) -> Bool {
        words.scalar(before: index).map { ":.,".unicodeScalars.contains($0) } ?? false
    }

    private static let weekdays: Set<String> = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]

    private static let relative: Set<String> = ["today", "tonight", "tomorrow"]

    private static let months: Set<String> = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]
}

import Text
import Time

/// The parts of a rule as written, each within its domain.
struct RecurrenceParts {
    let text: TextPart
    private(set) var frequency = RecurrenceFrequency.daily
    private(set) var interval = 1
    private(set) var end = RecurrenceRule.End.never
    private(set) var weekStart = Weekday.monday
    private(set) var weekdays: [OrdinalWeekday] = []
    /// The numbers of every part that lists numbers, in ascending order without duplicates.
    private(set) var numbers: [RecurrencePart: [Int]] = [:]
    private var places: [RecurrencePart: TextPart] = [:]

    /// Nothing is read yet.
    private init(unread text: some StringProtocol) {
        let whole = TextPart(text)
        let prefix = "RRULE:"
        let hasPrefix = whole.uppercased.hasPrefix(prefix)
        self.text = hasPrefix ? whole.dropFirst(prefix.utf8.count) : whole
    }

    /// Returns the error of each part that cannot be read, in the order of the text.
    static func errors(in text: some StringProtocol) -> [RecurrenceError] {
        var parts = RecurrenceParts(unread: text)
        var found: [RecurrenceError] = []
        for part in parts.text.split(at: ";") {
            do throws(RecurrenceError) {
                try parts.read(part)
            } catch {
                found.append(error)
            }
        }
        return found
    }

    init(_ text: some StringProtocol) throws(RecurrenceError) {
        self.init(unread: text)
        for part in self.text.split(at: ";") { try read(part) }
        guard places[.frequency] != nil else {
            throw RecurrenceError(.missingFrequency, at: self.text.range)
        }
        try checkCombinations()
    }

    private mutating func read(_ part: TextPart) throws(RecurrenceError) {
        guard let (name, value) = part.halves(at: "=") else {
            throw RecurrenceError(.notAPart(part.text), at: part.range)
        }
        guard let known = RecurrencePart(rawValue: name.uppercased) else {
            throw RecurrenceError(.unknownPart(name.text), at: name.range)
        }
        guard places.updateValue(part, forKey: known) == nil else {
            throw RecurrenceError(.repeatedPart(known), at: part.range)
        }
        switch known {
        case .frequency: frequency = try readFrequency(value)
        case .interval: interval = try positive(value, in: known)
        case .count: end = .count(try positive(value, in: known))
        case .until: end = try readUntil(value)
        case .weekStart: weekStart = try weekday(value, of: value, in: known)
        case .byDay:
            for item in value.split(at: ",") { weekdays.append(try ordinalWeekday(item)) }
        case .bySecond, .byMinute, .byHour, .byMonthDay, .byYearDay, .byWeekNumber, .byMonth,
            .bySetPosition:
            numbers[known] = try readNumbers(value, in: known)
        }
    }

    private func readFrequency(_ value: TextPart) throws(RecurrenceError) -> RecurrenceFrequency {
        if value.uppercased == "SECONDLY" { throw RecurrenceError(.secondly, at: value.range) }
        guard let frequency = RecurrenceFrequency(rawValue: value.uppercased) else {
            throw invalid(value, in: .frequency)
        }
        return frequency
    }

    private func positive(
        _ value: TextPart,
        in part: RecurrencePart
    ) throws(RecurrenceError) -> Int {
        guard let number = value.number, number > 0 else { throw invalid(value, in: part) }
        return number
    }

    /// Reads `20370320T073000`, followed by `Z` for UTC.
    private func readUntil(_ value: TextPart) throws(RecurrenceError) -> RecurrenceRule.End {
        var scanner = ASCIIScanner(value.bytes)
        guard let year = scanner.number(count: 4), let month = scanner.number(count: 2),
            let day = scanner.number(count: 2), scanner.skip("T") || scanner.skip("t"),
            let hour = scanner.number(count: 2), let minute = scanner.number(count: 2),
            let second = scanner.number(count: 2),
            let date = CivilDate(year: year, month: month, day: day),
            let time = CivilTime(hour: hour, minute: minute, second: second)
        else { throw invalid(value, in: .until) }
        let isUTC = scanner.skip("Z") || scanner.skip("z")
        guard scanner.isAtEnd else { throw invalid(value, in: .until) }
        let local = CivilDateTime(date: date, time: time)
        return isUTC
            ? .untilInstant(Instant(secondsSince1970: local.utcSeconds)) : .until(local)
    }

    /// `FR`, `-1FR`, `+2MO`.
    private func ordinalWeekday(_ item: TextPart) throws(RecurrenceError) -> OrdinalWeekday {
        let weekday = try weekday(item.suffix(2), of: item, in: .byDay)
        let sign = item.dropLast(2)
        if sign.isEmpty { return OrdinalWeekday(ordinal: nil, weekday: weekday) }
        guard let ordinal = sign.signedNumber, (1...53).contains(abs(ordinal)) else {
            throw invalid(item, in: .byDay)
        }
        return OrdinalWeekday(ordinal: ordinal, weekday: weekday)
    }

    private func weekday(
        _ name: TextPart,
        of item: TextPart,
        in part: RecurrencePart
    ) throws(RecurrenceError) -> Weekday {
        guard let weekday = Weekday.allCases.first(where: { $0.twoLetters == name.uppercased })
        else { throw invalid(item, in: part) }
        return weekday
    }

    private func readNumbers(
        _ value: TextPart,
        in part: RecurrencePart
    ) throws(RecurrenceError) -> [Int] {
        var numbers: Set<Int> = []
        for item in value.split(at: ",") {
            guard let number = part.isSigned ? item.signedNumber : item.number,
                let range = part.numbers, range.contains(abs(number))
            else { throw invalid(item, in: part) }
            numbers.insert(number)
        }
        return numbers.sorted()
    }

    private func invalid(_ value: TextPart, in part: RecurrencePart) -> RecurrenceError {
        RecurrenceError(.value(part, value.text), at: value.range)
    }
}

extension RecurrenceParts {
    /// Checks the combinations that RFC 5545, section 3.3.10, forbids.
    private func checkCombinations() throws(RecurrenceError) {
        if places[.count] != nil, let until = places[.until] {
            throw RecurrenceError(.countAndUntil, at: until.range)
        }
        for part in RecurrencePart.allCases where !part.isMeaningful(at: frequency) {
            guard let place = places[part] else { continue }
            throw RecurrenceError(.meaningless(part, at: frequency.rawValue), at: place.range)
        }
        if let place = places[.byDay], weekdays.contains(where: { $0.ordinal != nil }) {
            guard [.yearly, .monthly].contains(frequency) else {
                throw RecurrenceError(.ordinals(at: frequency.rawValue), at: place.range)
            }
            guard places[.byWeekNumber] == nil else {
                throw RecurrenceError(.ordinalsWithWeekNumbers, at: place.range)
            }
        }
        let sets = RecurrencePart.allCases.filter { $0.rawValue.hasPrefix("BY") }
        if let place = places[.bySetPosition], sets.count(where: { places[$0] != nil }) == 1 {
            throw RecurrenceError(.positionsOfNothing, at: place.range)
        }
    }
}

extension ASCIIScanner {
    /// Reads a number of exactly `count` digits, regardless of the next character.
    fileprivate mutating func number(count: Int) -> Int? {
        var number = 0
        for _ in 0..<count {
            guard let digit = next, digit.isASCIIDigit else {
                return nil
            }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
            _ = skip(Unicode.Scalar(digit))
        }
        return number
    }
}

extension Weekday {
    /// Formatted as in RFC 5545: `MO`.
    var twoLetters: String { englishName.prefix(2).uppercased() }
}

import Text

extension PosixTimeZone {
    /// Reads `std offset [dst [offset] , start[/time] , end[/time]]`.
    ///
    /// It supports the extensions of RFC 9636, section 3.3.2 (times from -167 to 167 hours). The
    /// result is nil for any other text.
    init?(parsing bytes: some Sequence<UInt8>) {
        var scanner = ASCIIScanner(bytes)
        guard let name = scanner.zoneAbbreviation(), let west = scanner.signedTime(hours: 0...24)
        else { return nil }
        let standard = UTCOffset(seconds: -west, isDaylightSaving: false, abbreviation: name)
        guard !scanner.isAtEnd else {
            self.init(standard: standard, daylightSaving: nil)
            return
        }
        guard let saving = DaylightSaving(scanning: &scanner, standard: standard), scanner.isAtEnd
        else { return nil }
        self.init(standard: standard, daylightSaving: saving)
    }
}

extension PosixTimeZone.DaylightSaving {
    fileprivate init?(scanning scanner: inout ASCIIScanner, standard: UTCOffset) {
        guard let name = scanner.zoneAbbreviation() else { return nil }
        var seconds = standard.seconds + 3600
        if scanner.next != UInt8(ascii: ",") {
            guard let west = scanner.signedTime(hours: 0...24) else { return nil }
            seconds = -west
        }
        guard scanner.skip(","), let start = YearlyMoment(scanning: &scanner),
            scanner.skip(","), let end = YearlyMoment(scanning: &scanner)
        else { return nil }
        offset = UTCOffset(seconds: seconds, isDaylightSaving: true, abbreviation: name)
        self.start = start
        self.end = end
    }
}

extension YearlyMoment {
    fileprivate init?(scanning scanner: inout ASCIIScanner) {
        guard let day = Day(scanning: &scanner) else { return nil }
        var seconds = 2 * 3600
        if scanner.skip("/") {
            guard let time = scanner.signedTime(hours: 0...167) else { return nil }
            seconds = time
        }
        self.init(day: day, seconds: seconds)
    }
}

extension YearlyMoment.Day {
    fileprivate init?(scanning scanner: inout ASCIIScanner) {
        if scanner.skip("J") {
            guard let number = scanner.number(in: 1...365) else { return nil }
            self = .julian(number)
        } else if scanner.skip("M") {
            guard let month = scanner.number(in: 1...12), scanner.skip("."),
                let week = scanner.number(in: 1...5), scanner.skip("."),
                let weekday = scanner.number(in: 0...6)
            else { return nil }
            self = .weekday(month: month, week: week, weekday: weekday)
        } else {
            guard let number = scanner.number(in: 0...365) else { return nil }
            self = .zeroBased(number)
        }
    }
}

extension ASCIIScanner {
    fileprivate mutating func number(in range: ClosedRange<Int>) -> Int? {
        guard let number = number(digits: 1...3), range.contains(number) else { return nil }
        return number
    }

    /// Reads `CEST`, or alphanumeric characters and signs between angle brackets.
    ///
    /// The name has three or more characters, without the brackets.
    fileprivate mutating func zoneAbbreviation() -> String? {
        let isQuoted = skip("<")
        let name = run { byte in
            let character = Unicode.Scalar(byte)
            return isQuoted && ("0"..."9" ~= character || "+" == character || "-" == character)
                || "a"..."z" ~= character || "A"..."Z" ~= character
        }
        guard name.count >= 3, !isQuoted || skip(">") else { return nil }
        return String(decoding: name, as: UTF8.self)
    }

    /// Reads `[+|-]h[h[h]][:mm[:ss]]` in seconds.
    fileprivate mutating func signedTime(hours range: ClosedRange<Int>) -> Int? {
        let isNegative = skip("-")
        if !isNegative { _ = skip("+") }
        guard let hours = number(in: range) else { return nil }
        var seconds = hours * 3600
        for unit in [60, 1] where skip(":") {
            guard let part = number(digits: 2...2), part < 60 else { return nil }
            seconds += part * unit
        }
        return isNegative ? -seconds : seconds
    }
}

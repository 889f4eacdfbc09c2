/// Times in a file of signers: `YYYYMMDD`, `YYYYMMDDHHMM` or `YYYYMMDDHHMMSS`, each with `Z`.
enum SignerTime {
    /// Returns the time in seconds since 1970.
    ///
    /// ssh-keygen reads a time without `Z` in the machine's time zone. Two machines would then
    /// disagree about an approval, so it is refused.
    static func seconds(_ text: String) throws(SignersFileError.Reason) -> Int64 {
        var digits = Array(text.utf8)
        let isUTC = digits.last.map { $0 | 32 == UInt8(ascii: "z") } ?? false
        if isUTC { digits.removeLast() }
        guard [8, 12, 14].contains(digits.count),
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { throw .invalidTime(text) }
        guard isUTC else { throw .localTime(text) }
        func part(_ range: Range<Int>) -> Int {
            range.lowerBound < digits.count
                ? digits[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } : 0
        }
        let (year, month, day) = (part(0..<4), part(4..<6), part(6..<8))
        let (hour, minute, second) = (part(8..<10), part(10..<12), part(12..<14))
        guard year >= 1970, (1...12).contains(month), day >= 1,
            day <= length(of: month, in: year), hour < 24, minute < 60, second < 60
        else { throw .invalidTime(text) }
        let time =
            Int64(days(to: year, month, day)) * 86_400
            + Int64(hour * 3_600 + minute * 60 + second)
        // ssh-keygen refuses the first second of 1970, its mark for no time.
        guard time > 0 else { throw .invalidTime(text) }
        return time
    }

    private static func length(of month: Int, in year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    /// Returns the days since 1970-01-01 in the Gregorian calendar.
    private static func days(to year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - 719_468
    }
}

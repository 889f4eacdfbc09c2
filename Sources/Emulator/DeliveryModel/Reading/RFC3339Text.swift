/// An RFC 3339 timestamp, as protobuf's JSON form accepts it: at most nine decimals, and `Z` or an
/// offset.
struct RFC3339Text {
    init?(_ text: String) {
        var rest = Substring(text).utf8
        guard let year = rest.number(of: 4), rest.take("-"), let month = rest.number(of: 2),
            rest.take("-"), let day = rest.number(of: 2), rest.take("T"),
            let hour = rest.number(of: 2), rest.take(":"), let minute = rest.number(of: 2),
            rest.take(":"), let second = rest.number(of: 2),
            year > 0, (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day),
            hour < 24, minute < 60, second < 60, rest.takeFraction(), rest.takeOffset(),
            rest.isEmpty
        else { return nil }
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2:
            year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
                ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension Substring.UTF8View {
    fileprivate mutating func number(of digits: Int) -> Int? {
        let part = prefix(digits)
        guard part.count == digits, part.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        removeFirst(digits)
        return Int(Substring(part))
    }

    fileprivate mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard first == UInt8(ascii: mark) else { return false }
        removeFirst()
        return true
    }

    /// Returns false if a decimal point is not followed by one to nine digits.
    fileprivate mutating func takeFraction() -> Bool {
        guard take(".") else { return true }
        let digits = prefix { (0x30...0x39).contains($0) }.count
        removeFirst(digits)
        return (1...9).contains(digits)
    }

    fileprivate mutating func takeOffset() -> Bool {
        if take("Z") { return true }
        guard take("+") || take("-"), let hour = number(of: 2), take(":"),
            let minute = number(of: 2)
        else { return false }
        return hour < 24 && minute < 60
    }
}

/// A time in UTC, in whole milliseconds since 1970-01-01T00:00:00Z.
package struct DeliveryMoment: Hashable, Comparable, Sendable {
    package let milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    package static func < (left: DeliveryMoment, right: DeliveryMoment) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// Returns the time `seconds` later, or the last representable time on overflow.
    package func advanced(bySeconds seconds: Int64) -> DeliveryMoment {
        let (span, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000)
        let (sum, isTooFar) = milliseconds.addingReportingOverflow(span)
        return DeliveryMoment(milliseconds: isTooLong || isTooFar ? .max : sum)
    }
}

// The calendar is the proleptic Gregorian calendar. Day counts follow Howard Hinnant,
// "chrono-compatible low-level date algorithms".
extension DeliveryMoment {
    /// RFC 3339 text with milliseconds, such as `2037-03-20T07:30:00.000Z`, for years 0 to 9999.
    package var rfc3339: String {
        let day = milliseconds.floorDivided(by: 86_400_000)
        let rest = milliseconds - day * 86_400_000
        var text: [UInt8] = []
        text.reserveCapacity(24)
        let date = civilDate(ofDay: day)
        text.append(date.year, digits: 4, then: "-")
        text.append(date.month, digits: 2, then: "-")
        text.append(date.day, digits: 2, then: "T")
        text.append(rest / 3_600_000, digits: 2, then: ":")
        text.append(rest / 60_000 % 60, digits: 2, then: ":")
        text.append(rest / 1_000 % 60, digits: 2, then: ".")
        text.append(rest % 1_000, digits: 3, then: "Z")
        return String(decoding: text, as: UTF8.self)
    }

    /// Parses exactly the form that `rfc3339` produces.
    package init?(rfc3339 text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 24 else { return nil }
        let ranges = [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19, 20..<23]
        let values = ranges.compactMap { Int64(String(decoding: bytes[$0], as: UTF8.self)) }
        guard values.count == ranges.count else { return nil }
        let days = dayCount(year: values[0], month: values[1], day: values[2])
        let seconds = values[3] * 3_600 + values[4] * 60 + values[5]
        self.init(milliseconds: days * 86_400_000 + seconds * 1_000 + values[6])
        guard rfc3339 == text else { return nil }
    }
}

extension DeliveryMoment {
    /// The last time that `rfc3339` can represent: the end of the year 9999.
    package static let last = DeliveryMoment(milliseconds: 253_402_300_799_999)

    /// Parses `2026-03-20T07:30:00Z`, with or without milliseconds.
    package init?(instant text: String) {
        if text.utf8.count == 20, text.hasSuffix("Z") {
            self.init(rfc3339: text.dropLast() + ".000Z")
        } else {
            self.init(rfc3339: text)
        }
    }
}

private func civilDate(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = day + 719_468
    let era = shifted.floorDivided(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
        (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (
        yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
        dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    )
}

private func dayCount(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear.floorDivided(by: 400)
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
}

extension Int64 {
    fileprivate func floorDivided(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ value: Int64, digits: Int, then end: Unicode.Scalar) {
        var unit: Int64 = 1
        for _ in 1..<digits { unit *= 10 }
        if (0..<unit * 10).contains(value) {
            while unit > 0 {
                append(UInt8(ascii: "0") + UInt8(value / unit % 10))
                unit /= 10
            }
        } else {
            append(contentsOf: String(value).utf8)
        }
        append(UInt8(ascii: end))
    }
}

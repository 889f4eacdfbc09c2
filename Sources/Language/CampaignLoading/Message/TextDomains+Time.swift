import Diagnostics
import Text
import Time

extension TextDomain {
    /// A protobuf timestamp: RFC 3339 with a zone, in uppercase, with at most 9 decimals.
    static let timestamp = TextDomain(
        .momentSyntax,
        expected: "an RFC 3339 timestamp such as `2037-03-20T08:30:00Z`",
        help: "write date, `T`, time and zone: `Z` or an offset such as `+01:00`",
        form: TextForm(
            pattern: "(?!0000)(\(date))T\(time)(\\.[0-9]{1,9})?"
                + "(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"
        )
    ) { text in
        let fraction = text.utf8.drop { $0 != UInt8(ascii: ".") }.dropFirst()
            .prefix(while: \.isASCIIDigit)
        return fraction.count <= 9 && !text.utf8.contains(UInt8(ascii: "t"))
            && !text.utf8.contains(UInt8(ascii: "z")) && Instant(rfc3339: text) != nil
    }

    private static let time = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
    private static let leapYear =
        "([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)"
    private static let date =
        "[0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])"
        + "|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))"
        + "|\(leapYear)-02-29"
}

/// A content line of an iCalendar file (RFC 5545, section 3.1).
struct ICalendarLine: Hashable, Sendable {
    private let content: String

    /// The maximum length of a line in octets, without the line break.
    static let longest = 75

    /// A line whose value is not a text, such as a time.
    init(_ name: String, _ value: String) {
        content = "\(name):\(value)"
    }

    /// A line whose value is a text.
    init(_ name: String, text: String) {
        self.init(name, Self.escaped(text))
    }

    /// The line with its break; a long line continues on lines that begin with a space.
    ///
    /// No character is divided.
    var folded: String {
        var lines = ""
        var length = 0
        for scalar in content.unicodeScalars {
            let octets = UTF8.octets(of: scalar)
            if length + octets > Self.longest {
                lines += "\r\n "
                length = 1
            }
            lines.unicodeScalars.append(scalar)
            length += octets
        }
        return lines + "\r\n"
    }

    /// The value of a text (RFC 5545, section 3.3.11).
    ///
    /// Line feeds separate lines. Other control and invisible characters are written as escapes.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map { escapedLine(String($0)) }.joined(separator: "\\n")
    }

    private static func escapedLine(_ line: String) -> String {
        var value = ""
        for scalar in TextStyle.safe(line).unicodeScalars {
            if "\\;,".unicodeScalars.contains(scalar) { value += "\\" }
            value.unicodeScalars.append(scalar)
        }
        return value
    }
}

extension UTF8 {
    /// The number of octets of a character.
    fileprivate static func octets(of scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case ..<0x80: 1
        case ..<0x800: 2
        case ..<0x1_0000: 3
        default: 4
        }
    }
}

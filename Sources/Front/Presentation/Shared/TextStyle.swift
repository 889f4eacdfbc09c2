import Text

/// The text style of an output stream: its colours and its width.
package struct TextStyle: Sendable {
    package enum Tone: String, Sendable {
        case plain = "0"
        case strong = "1"
        case faint = "2"
        case good = "32"
        case attention = "33"
        case bad = "31"
    }

    let useColor: Bool
    package let width: TextWidth

    /// Without colours, for a file or a pipe.
    package static let plain = TextStyle(useColor: false)

    package init(useColor: Bool, width: TextWidth = .unknown) {
        self.useColor = useColor
        self.width = width
    }

    package func paint(_ text: String, in tone: Tone) -> String {
        useColor && tone != .plain ? "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Untrusted text with terminal control characters escaped.
    package static func safe(_ text: String) -> String { TerminalText.printable(text) }

    /// Untrusted text on one line, with `⏎` in place of line breaks.
    static func line(_ text: String) -> String {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map { safe(String($0)) }.joined(separator: "⏎")
    }

    /// The width of the text on a terminal, in columns.
    static func columns(of text: String) -> Int { TerminalText.columns(of: text) }
}

extension Int {
    /// For example, `1 send`, `2 sends`, `10,000 sends`.
    package func counting(_ singular: String, plural: String? = nil) -> String {
        "\(grouped) \(self == 1 ? singular : plural ?? singular + "s")"
    }

    /// With a comma between thousands.
    package var grouped: String {
        var digits = String(magnitude)
        var text = ""
        while digits.count > 3 {
            text = "," + digits.suffix(3) + text
            digits.removeLast(3)
        }
        return (self < 0 ? "-" : "") + digits + text
    }
}

extension String {
    package func padded(to width: Int) -> String {
        count < width ? self + String(repeating: " ", count: width - count) : self
    }
}

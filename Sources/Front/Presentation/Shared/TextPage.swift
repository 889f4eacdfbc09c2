/// Lays out prose: paragraphs, and rows with a label.
struct TextPage {
    private let style: TextStyle
    private var lines: [String] = []

    private static let rowIndent = "      "
    private static let labelColumns = 6

    init(style: TextStyle) {
        self.style = style
    }

    var text: String { lines.joined(separator: "\n") + "\n" }

    mutating func line(_ text: String, in tone: TextStyle.Tone) {
        lines.append(style.paint(TextStyle.safe(text), in: tone))
    }

    /// Adds a blank line, but never two in a row or one at the start.
    mutating func blank() {
        if lines.last.map({ !$0.isEmpty }) ?? false { lines.append("") }
    }

    mutating func paragraph(_ text: WrappedText, indent: String = "", hanging: String = "") {
        let width = style.width.prose - hanging.utf8.count
        for (place, line) in text.lines(width: width, style: style).enumerated() {
            lines.append((place == 0 ? indent : hanging) + line)
        }
    }

    /// Adds a row, unless the text is empty.
    mutating func row(
        _ label: String,
        words: String,
        labelled tone: TextStyle.Tone = .faint,
        isForeign: Bool = false
    ) {
        var text = WrappedText()
        if isForeign { text.append(foreign: words) } else { text.append(words) }
        row(label, text: text, labelled: tone)
    }

    mutating func row(_ label: String, moment: MomentDescription, isZoneTold: Bool = false) {
        var text = WrappedText()
        let zone = isZoneTold ? "" : "\(moment.zone) "
        text.append("\(moment.weekday) \(moment.local) \(zone)")
        text.append(unbroken: "(\(moment.utc), \(moment.distance))")
        if let note = moment.note { text.append("; " + note) }
        row(label, text: text)
    }

    /// Adds a row without a label: a name, and untrusted text between marks.
    mutating func row(
        name: String,
        excerpt: WrappedText.Excerpt,
        between marks: (before: String, after: String)
    ) {
        var text = WrappedText()
        text.append(foreign: name)
        text.append(marks.before)
        excerpt.write(to: &text)
        text.append(marks.after)
        row("", text: text)
    }

    mutating func row(_ label: String, text: WrappedText, labelled tone: TextStyle.Tone = .faint) {
        let hanging = Self.rowIndent + String(repeating: " ", count: Self.labelColumns)
        let head = Self.rowIndent + style.paint(label.padded(to: Self.labelColumns), in: tone)
        let width = style.width.prose - hanging.utf8.count
        for (place, line) in text.lines(width: width, style: style).enumerated() {
            lines.append((place == 0 && !label.isEmpty ? head : hanging) + line)
        }
    }
}

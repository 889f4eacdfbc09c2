package import Diagnostics
import Text

/// Renders diagnostics as text, in the style of the Rust compiler.
///
/// Only this type's own escape sequences reach the terminal, and only with colour, regardless of
/// the content of source text, messages and paths.
package struct DiagnosticTextView: Sendable {
    private let catalog: SourceCatalog
    private let style: TextStyle

    package init(catalog: SourceCatalog, style: TextStyle) {
        self.catalog = catalog
        self.style = style
    }

    /// Returns several lines, without a line break after the last.
    package func render(_ diagnostic: Diagnostic) -> String {
        var page = DiagnosticPage(
            catalog: catalog,
            style: style,
            paint: TerminalPaint(isOn: style.useColor),
            diagnostic: diagnostic
        )
        page.write()
        return page.lines.joined(separator: "\n")
    }

    /// Counts the diagnostics per severity, such as `2 errors, 1 warning`.
    package func summary(of diagnostics: [Diagnostic]) -> String {
        let parts = Severity.allCases.sorted(by: >).compactMap { severity -> String? in
            let count = diagnostics.count { $0.severity == severity }
            return count == 0 ? nil : "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
        }
        return parts.isEmpty ? "no problems" : parts.joined(separator: ", ")
    }
}

/// Collects the lines of one diagnostic.
private struct DiagnosticPage {
    let catalog: SourceCatalog
    let style: TextStyle
    let paint: TerminalPaint
    let diagnostic: Diagnostic
    var lines: [String] = []

    mutating func write() {
        writeHeader()
        if let span = diagnostic.span {
            writePlace(
                span,
                label: diagnostic.label,
                as: Pointer(
                    arrow: "-->",
                    mark: "^",
                    tone: TerminalPaint.Tone(diagnostic.severity)
                )
            )
        }
        for place in diagnostic.related {
            writeSeparator()
            writePlace(
                place.span,
                label: place.message,
                as: Pointer(arrow: ":::", mark: "-", tone: .frame)
            )
        }
        if !diagnostic.help.isEmpty || diagnostic.fix != nil {
            writeSeparator()
            writeHelp()
        }
    }

    private mutating func writeHeader() {
        let kind = "\(diagnostic.severity.rawValue)[\(diagnostic.rule.rawValue)]"
        let message = TerminalText.excerpt(diagnostic.message)
        let head =
            paint(kind, in: TerminalPaint.Tone(diagnostic.severity))
            + paint(": \(message)", in: .emphasis)
        lines.append(style.foldedMessage(head, hanging: 4))
    }

    private mutating func writePlace(
        _ span: SourceSpan,
        label: String?,
        as pointer: Pointer
    ) {
        let file = catalog[span.source]
        let position = file.position(at: span.start)
        let line = file.displayLine(position.line, marking: span, columns: sourceColumns)
        let path = TerminalText.printable(file.path)
        let indent = String(repeating: " ", count: numberWidth + 1)
        lines.append(
            indent + paint(pointer.arrow, in: .frame)
                + " \(path):\(position.line):\(position.column)"
        )
        lines.append(bar)
        lines.append(numbered(position.line, text: line.text))
        let marks = String(repeating: pointer.mark, count: line.markColumns)
        for (column, text) in underline(line, with: marks, label: label.map(TerminalText.excerpt)) {
            lines.append(
                bar + " " + String(repeating: " ", count: column) + paint(text, in: pointer.tone)
            )
        }
    }

    /// The columns of a label that does not fit next to the marks.
    private static let labelColumns = 40

    /// Returns the marks and the label, each line with its column.
    ///
    /// A label that does not fit next to the marks is below them.
    private func underline(
        _ line: DisplayLine,
        with marks: String,
        label: String?
    ) -> [(column: Int, text: String)] {
        guard let label else { return [(line.markColumn, marks)] }
        let end = line.markColumn + line.markColumns
        guard let room, end + 1 + TerminalText.columns(of: label) > room else {
            return [(line.markColumn, "\(marks) \(label)")]
        }
        let column = min(line.markColumn, max(0, room - Self.labelColumns))
        let folded = FoldedText(columns: room - column, hanging: 0).lines(of: label)
        return [(line.markColumn, marks)]
            + folded.split(separator: "\n").map { (column, String($0)) }
    }

    /// The columns to the right of the line numbers; nil if the width is unknown.
    private var room: Int? { style.width.messages.map { $0 - numberWidth - 4 } }

    private var sourceColumns: Int { room ?? DisplayLine.maximumColumns }

    /// Adds a bar that connects the following lines to the excerpt above.
    private mutating func writeSeparator() {
        if lines.count > 1 { lines.append(bar) }
    }

    private mutating func writeHelp() {
        var helps = diagnostic.help[...]
        writeHelp(helps.popFirst() ?? "change it like this")
        if let fix = diagnostic.fix { write(fix) }
        for help in helps { writeHelp(help) }
    }

    private mutating func writeHelp(_ help: String) {
        let text = paint("help", in: .help) + ": " + TerminalText.excerpt(help)
        lines.append(style.foldedMessage(text, hanging: 6))
    }

    private mutating func write(_ fix: Fix) {
        let file = catalog[fix.span.source]
        let indent = String(repeating: " ", count: numberWidth + 1)
        lines.append(indent + paint("|", in: .frame))
        var number = file.lines.line(at: fix.span.start)
        for text in file.linesAfter(fix, columns: sourceColumns) {
            lines.append(String(numbered(number, text: text).dropFirst()))
            number += 1
        }
    }

    private var bar: String {
        String(repeating: " ", count: numberWidth + 2) + paint("|", in: .frame)
    }

    private func numbered(_ number: Int, text: String) -> String {
        let digits = String(number)
        let indent = String(repeating: " ", count: 1 + max(0, numberWidth - digits.count))
        return indent + paint("\(digits) |", in: .frame) + (text.isEmpty ? "" : " " + text)
    }

    /// The number of digits of the greatest line number on the page.
    private var numberWidth: Int {
        let spans = [diagnostic.span, diagnostic.fix?.span].compactMap { $0 }
        let numbers = (spans + diagnostic.related.map(\.span)).map {
            catalog[$0.source].lines.line(at: $0.start)
        }
        return String(numbers.max() ?? 0).count
    }
}

/// The marks that point at a place in the source.
private struct Pointer {
    let arrow: String
    let mark: Character
    let tone: TerminalPaint.Tone
}

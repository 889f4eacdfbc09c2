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
    let paint: TerminalPaint
    let diagnostic: Diagnostic
    var lines: [String] = []

    mutating func write() {
        writeHeader()
        if let span = diagnostic.span {
            writePlace(
                span,
                arrow: "-->",
                mark: "^",
                label: diagnostic.label,
                tone: TerminalPaint.Tone(diagnostic.severity)
            )
        }
        for place in diagnostic.related {
            writeSeparator()
            writePlace(place.span, arrow: ":::", mark: "-", label: place.message, tone: .frame)
        }
        if !diagnostic.help.isEmpty || diagnostic.fix != nil {
            writeSeparator()
            writeHelp()
        }
    }

    private mutating func writeHeader() {
        let kind = "\(diagnostic.severity.rawValue)[\(diagnostic.rule.rawValue)]"
        let message = TerminalText.excerpt(diagnostic.message)
        lines.append(
            paint(kind, TerminalPaint.Tone(diagnostic.severity)) + paint(": \(message)", .emphasis)
        )
    }

    private mutating func writePlace(
        _ span: SourceSpan,
        arrow: String,
        mark: Character,
        label: String?,
        tone: TerminalPaint.Tone
    ) {
        let file = catalog[span.source]
        let position = file.position(at: span.start)
        let line = file.displayLine(position.line, marking: span)
        let path = TerminalText.printable(file.path)
        let indent = String(repeating: " ", count: numberWidth + 1)
        let underline =
            String(repeating: mark, count: line.markColumns)
            + (label.map { " " + TerminalText.excerpt($0) } ?? "")
        lines.append(
            indent + paint(arrow, .frame) + " \(path):\(position.line):\(position.column)"
        )
        lines.append(bar)
        lines.append(numbered(position.line, line.text))
        lines.append(
            bar + " " + String(repeating: " ", count: line.markColumn) + paint(underline, tone)
        )
    }

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
        lines.append(paint("help", .help) + ": " + TerminalText.excerpt(help))
    }

    private mutating func write(_ fix: Fix) {
        let file = catalog[fix.span.source]
        let indent = String(repeating: " ", count: numberWidth + 1)
        lines.append(indent + paint("|", .frame))
        var number = file.lines.line(at: fix.span.start)
        for text in file.linesAfter(fix) {
            lines.append(String(numbered(number, text).dropFirst()))
            number += 1
        }
    }

    private var bar: String {
        String(repeating: " ", count: numberWidth + 2) + paint("|", .frame)
    }

    private func numbered(_ number: Int, _ text: String) -> String {
        let digits = String(number)
        let indent = String(repeating: " ", count: 1 + max(0, numberWidth - digits.count))
        return indent + paint("\(digits) |", .frame) + (text.isEmpty ? "" : " " + text)
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

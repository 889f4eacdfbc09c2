package import Diagnostics
import Text

/// Writes diagnostics as workflow commands of GitHub Actions.
///
/// GitHub shows them next to the lines of a pull request (GitHub documentation, Workflow commands
/// for GitHub Actions).
package struct FindingsGitHubView: Sendable {
    private let catalog: SourceCatalog
    private let pathPrefix: String

    /// The number of errors, and of warnings, that GitHub shows per step.
    ///
    /// GitHub drops further annotations silently.
    package static let mostAnnotations = 10

    /// `pathPrefix`: the project directory in the repository with a trailing slash, or empty.
    package init(catalog: SourceCatalog, pathPrefix: String = "") {
        self.catalog = catalog
        self.pathPrefix = pathPrefix
    }

    /// Returns one line per annotation, worst first, and a last line that counts the omitted ones.
    package func render(_ diagnostics: [Diagnostic]) -> String {
        let ordered = Severity.allCases.sorted(by: >).flatMap { severity in
            diagnostics.filter { $0.severity == severity }
        }
        var lines = ordered.prefix(Self.mostAnnotations).map(command)
        let rest = Array(ordered.dropFirst(Self.mostAnnotations))
        if !rest.isEmpty {
            let counts = DiagnosticTextView(catalog: catalog, style: .plain).summary(of: rest)
            lines.append("and \(rest.count) more: \(counts); `herald validate` shows all")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private func command(_ diagnostic: Diagnostic) -> String {
        let place = diagnostic.span.map(properties) ?? []
        let properties = (place + [("title", diagnostic.rule.rawValue)]).map { name, value in
            "\(name)=\(Self.escapedProperty(TerminalText.printable(value)))"
        }
        let related = diagnostic.related.map { line(for: $0) }
        let help = diagnostic.help.map { "help: \($0)" }
        let text = ([diagnostic.message, diagnostic.label].compactMap(\.self) + related + help)
            .map(TerminalText.printable)
            .joined(separator: "\n")
        return "::\(diagnostic.severity.commandName) \(properties.joined(separator: ","))::"
            + Self.escapedData(text)
    }

    /// Names the file, because GitHub shows an annotation only at the finding's own place.
    private func line(for place: RelatedPlace) -> String {
        let file = catalog[place.span.source]
        let line = file.position(at: place.span.start).line
        return "\(place.message) (\(pathPrefix + file.path):\(line))"
    }

    /// GitHub accepts columns only if a span is on one line.
    private func properties(of span: SourceSpan) -> [(String, String)] {
        let file = catalog[span.source]
        let start = file.position(at: span.start)
        let end = file.position(at: span.end)
        let lines = [
            ("file", pathPrefix + file.path), ("line", "\(start.line)"),
            ("endLine", "\(end.line)"),
        ]
        guard start.line == end.line else { return lines }
        return lines + [("col", "\(start.column)"), ("endColumn", "\(end.column)")]
    }

    private static func escapedData(_ text: String) -> String {
        escaped(text, escaping: ["%", "\r", "\n"])
    }

    private static func escapedProperty(_ text: String) -> String {
        escaped(text, escaping: ["%", "\r", "\n", ":", ","])
    }

    /// Escapes per scalar, because a carriage return and a line feed form one character.
    private static func escaped(_ text: String, escaping special: Set<Unicode.Scalar>) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if special.contains(scalar) {
                result.append(contentsOf: UInt8(ascii: scalar).percentEncoded.unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }
}

extension Severity {
    fileprivate var commandName: String {
        switch self {
        case .error: "error"
        case .warning: "warning"
        case .note: "notice"
        }
    }
}

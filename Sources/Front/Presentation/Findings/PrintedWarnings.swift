package import Diagnostics
import Text

/// The warnings of a project that earlier commands printed.
///
/// A hash covers the rule, the message and the place: a warning that moved or changed is printed
/// again.
package struct PrintedWarnings: Sendable {
    /// The maximum number of warnings to remember, the latest first.
    private static let mostKept = 10_000

    private let hashes: [String]
    private let known: Set<String>

    private init(hashes: [String]) {
        self.hashes = hashes
        known = Set(hashes)
    }

    /// `text`: the result of `text`.
    package init(text: String) {
        self.init(hashes: text.split(separator: "\n").map(String.init))
    }

    /// One hash per line.
    package var text: String { hashes.map { $0 + "\n" }.joined() }

    /// Adds the warnings among findings that a command prints.
    package func adding(_ findings: [Diagnostic], in catalog: SourceCatalog) -> PrintedWarnings {
        let now = findings.filter { $0.severity == .warning }.map { Self.hash($0, in: catalog) }
        let printed = Set(now)
        let all = now + hashes.filter { !printed.contains($0) }
        return PrintedWarnings(hashes: Array(all.prefix(Self.mostKept)))
    }

    /// Whether an earlier command printed this warning unchanged.
    func contains(_ finding: Diagnostic, in catalog: SourceCatalog) -> Bool {
        finding.severity == .warning && known.contains(Self.hash(finding, in: catalog))
    }

    private static func hash(_ finding: Diagnostic, in catalog: SourceCatalog) -> String {
        var parts = [finding.rule.rawValue, finding.message]
        if let span = finding.span {
            let file = catalog[span.source]
            let position = file.position(at: span.start)
            parts += [file.path, "\(position.line):\(position.column)"]
        }
        return StableHash.text(of: parts.joined(separator: "\n"))
    }
}

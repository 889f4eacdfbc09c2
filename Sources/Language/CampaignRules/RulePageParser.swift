import Diagnostics

/// Why a Markdown text is not a rule page.
package struct RulePageError: Error, Equatable {
    package enum Problem: Equatable, Sendable {
        /// The page does not begin with `# RULE`.
        case title
        /// The paragraph below the title does not begin with `Error. `, `Warning. ` or `Note. `.
        case severity
        /// The heading of this section is expected here.
        case heading(String)
        /// A section follows the last one.
        case extraSection
        /// This section has no content.
        case empty(String)
        /// A path is not followed by a blank line and a complete fenced block.
        case file
    }

    package let problem: Problem
    /// Counted from 1.
    package let line: Int

    package init(_ problem: Problem, line: Int) {
        self.problem = problem
        self.line = line
    }
}

extension RulePage {
    package init(markdown: String) throws(RulePageError) {
        var parser = RulePageParser(markdown)
        let id = try parser.title()
        let (severity, settings) = try parser.severity()
        self.init(
            id: id,
            severity: severity,
            settings: settings,
            whatItDoes: try parser.prose(under: "What it does"),
            whyIsThisBad: try parser.prose(under: "Why is this bad"),
            example: try parser.example(under: "Example"),
            useInstead: try parser.example(under: "Use instead"),
            source: try parser.lastProse(under: "Source")
        )
    }
}

/// Reads a page from top to bottom, one line at a time.
private struct RulePageParser {
    private let lines: [Substring]
    private var next = 0

    init(_ markdown: String) {
        lines = markdown.split(separator: "\n", omittingEmptySubsequences: false)
    }

    private var isAtEnd: Bool { next == lines.count }
    private var isAtHeading: Bool { isAtEnd || lines[next].hasPrefix("## ") }

    private func error(_ problem: RulePageError.Problem) -> RulePageError {
        RulePageError(problem, line: next + 1)
    }

    mutating func title() throws(RulePageError) -> RuleID {
        guard let first = lines.first, first.hasPrefix("# "),
            let id = RuleID(rawValue: String(first.dropFirst(2)))
        else { throw error(.title) }
        next += 1
        return id
    }

    mutating func severity() throws(RulePageError) -> (Severity, settings: String) {
        skipBlankLines()
        for severity in Severity.allCases {
            let start = "\(severity.rawValue.capitalizedFirst). "
            guard !isAtEnd, lines[next].hasPrefix(start) else { continue }
            return (severity, String(text().dropFirst(start.count)))
        }
        throw error(.severity)
    }

    mutating func prose(under heading: String) throws(RulePageError) -> String {
        try self.heading(heading)
        let text = text()
        guard !text.isEmpty else { throw error(.empty(heading)) }
        return text
    }

    mutating func lastProse(under heading: String) throws(RulePageError) -> String {
        let text = try prose(under: heading)
        guard isAtEnd else { throw error(.extraSection) }
        return text
    }

    mutating func example(under heading: String) throws(RulePageError) -> RuleExample {
        try self.heading(heading)
        var files: [RuleExample.File] = []
        while let file = try file() { files.append(file) }
        guard !files.isEmpty else { throw error(.empty(heading)) }
        let note = text()
        return RuleExample(files: files, note: note.isEmpty ? nil : note)
    }

    private mutating func heading(_ name: String) throws(RulePageError) {
        guard !isAtEnd, lines[next] == "## \(name)" else { throw error(.heading(name)) }
        next += 1
    }

    /// The lines before the next heading, without blank lines at the beginning and the end.
    private mutating func text() -> String {
        skipBlankLines()
        let start = next
        while !isAtHeading { next += 1 }
        var end = next
        while end > start, lines[end - 1].isEmpty { end -= 1 }
        return lines[start..<end].joined(separator: "\n")
    }

    /// A path, a blank line and a fenced block; nil if there is no path here.
    private mutating func file() throws(RulePageError) -> RuleExample.File? {
        skipBlankLines()
        guard !isAtEnd else { return nil }
        let parts = lines[next].split(separator: "`", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].isEmpty, ["", Self.latin1].contains(parts[2])
        else { return nil }
        guard next + 2 < lines.count, lines[next + 1].isEmpty else { throw error(.file) }
        let fence = lines[next + 2].prefix { $0 == "`" }
        let body = lines[(next + 3)...].prefix { $0 != fence }
        guard fence.count >= 3, body.endIndex < lines.count else { throw error(.file) }
        next = body.endIndex + 1
        return RuleExample.File(
            path: String(parts[1]),
            text: body.map { $0 + "\n" }.joined(),
            isLatin1: !parts[2].isEmpty
        )
    }

    private mutating func skipBlankLines() {
        while !isAtEnd, lines[next].isEmpty { next += 1 }
    }

    private static let latin1: Substring = ", in ISO 8859-1"
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

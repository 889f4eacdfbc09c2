package import Preflight

/// Renders the findings of `herald doctor` as text.
package struct CheckupTextView: Sendable {
    private let style: TextStyle

    private static let indentation = 24

    package init(style: TextStyle) {
        self.style = style
    }

    package func renderBeginning(_ environment: String) -> String {
        style.paint("Environment \(TextStyle.safe(environment))", in: .strong) + "\n\n"
    }

    /// Checks that were skipped one after the other for the same reason share a line.
    package func render(_ findings: [CheckupFinding]) -> String {
        var text = ""
        var rest = findings[...]
        while let first = rest.first {
            let equal = rest.prefix { $0.verdict == .skipped && $0.seen == first.seen }
            text += equal.count > 1 ? renderSkipped(equal) : render(first)
            rest = rest.dropFirst(max(equal.count, 1))
        }
        return text
    }

    private func renderSkipped(_ findings: ArraySlice<CheckupFinding>) -> String {
        let verdict = style.paint(
            CheckupFinding.Verdict.skipped.rawValue.padded(to: 9),
            in: CheckupFinding.Verdict.skipped.tone
        )
        let names = findings.map(\.check.rawValue).joined(separator: ", ")
        var text = WrappedText(names + ": ")
        text.append(foreign: findings.first?.seen ?? "")
        let lines = text.lines(width: style.width.prose - 11, style: style)
        let space = String(repeating: " ", count: 11)
        return "  \(verdict)" + lines.joined(separator: "\n" + space) + "\n"
    }

    /// Renders the last line, which summarises all findings.
    package func renderEnd(_ findings: [CheckupFinding]) -> String {
        let problems = findings.count { $0.verdict == .problem }
        let warnings = findings.count { $0.verdict == .warning }
        let counts = [
            problems > 0 ? problems.counting("problem") : nil,
            warnings > 0 ? warnings.counting("warning") : nil,
        ].compactMap(\.self)
        guard !counts.isEmpty else { return "\n\(style.paint("No problems found.", in: .good))\n" }
        return "\n\(counts.joined(separator: ", ")).\n"
    }

    private func render(_ finding: CheckupFinding) -> String {
        let verdict = style.paint(finding.verdict.rawValue.padded(to: 9), in: finding.verdict.tone)
        let head = "  \(verdict)\(finding.check.rawValue.padded(to: Self.indentation - 11))"
        let space = String(repeating: " ", count: Self.indentation)
        var seen = WrappedText()
        seen.append(foreign: finding.seen)
        var lines = wrapped(seen)
        if let wayOut = finding.wayOut {
            var text = WrappedText()
            text.append("help:", in: .good)
            text.append(" " + wayOut)
            lines += wrapped(text)
        }
        return head + lines.joined(separator: "\n" + space) + "\n"
    }

    private func wrapped(_ text: WrappedText) -> [String] {
        text.lines(width: style.width.prose - Self.indentation, style: style)
    }
}

extension CheckupFinding.Verdict {
    fileprivate var tone: TextStyle.Tone {
        switch self {
        case .ok: .good
        case .warning: .attention
        case .problem: .bad
        case .skipped: .faint
        }
    }
}

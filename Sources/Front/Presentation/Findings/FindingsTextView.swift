package import Diagnostics

/// Renders diagnostics as text, followed by their counts.
package struct FindingsTextView: Sendable {
    private let style: TextStyle

    /// The maximum number of diagnostics to show.
    ///
    /// The rest are only counted.
    private static let mostShown = 1_000

    package init(style: TextStyle) {
        self.style = style
    }

    package func render(_ diagnostics: [Diagnostic], in catalog: SourceCatalog) -> String {
        let renderer = DiagnosticTextView(catalog: catalog, style: style)
        guard !diagnostics.isEmpty else { return "" }
        let shown = shown(of: FindingGroup.groups(of: diagnostics))
        var blocks = shown.map { group in
            renderer.render(group.first) + "\n" + more(of: group)
        }
        let rest = diagnostics.count - shown.reduce(0) { $0 + 1 + $1.more }
        if rest > 0 { blocks.append("\(rest.counting("finding")) not shown; fix these first\n") }
        return blocks.joined(separator: "\n") + "\n" + renderer.summary(of: diagnostics) + "\n"
    }

    /// Renders the warnings that an earlier command printed unchanged as one line.
    package func render(
        _ diagnostics: [Diagnostic],
        in catalog: SourceCatalog,
        after printed: PrintedWarnings
    ) -> String {
        let new = diagnostics.filter { !printed.contains($0, in: catalog) }
        let count = diagnostics.count - new.count
        guard count > 0 else { return render(diagnostics, in: catalog) }
        let unchanged = count.counting("unchanged warning")
        let line = "\(unchanged) not shown again: `herald validate` shows all findings\n"
        return render(new, in: catalog) + style.foldedMessage(line, hanging: 4)
    }

    private func more(of group: FindingGroup) -> String {
        guard group.more > 0 else { return "" }
        let count = group.more.counting("more finding")
        let text =
            "\(style.paint("note:", in: .strong)) \(count) of this kind not shown; "
            + "`herald validate --format json` lists all"
        return style.foldedMessage(text, hanging: 6) + "\n"
    }

    /// The diagnostics to show.
    ///
    /// If there are too many, errors come first, so that warnings do not displace them.
    private func shown(of groups: [FindingGroup]) -> ArraySlice<FindingGroup> {
        guard groups.count > Self.mostShown else { return groups[...] }
        let errors = groups.filter { $0.first.severity == .error }
        return (errors + groups.filter { $0.first.severity != .error }).prefix(Self.mostShown)
    }
}

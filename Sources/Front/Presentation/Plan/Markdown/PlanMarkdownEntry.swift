/// Renders an entry of a plan as Markdown.
struct PlanMarkdownEntry {
    private let entry: PlanEntry
    private let content: [String]

    init(_ entry: PlanEntry) {
        self.entry = entry
        content = PlanMarkdownContent(entry: entry).lines
    }

    /// Whether the full entry is an HTML element, which only a blank line ends.
    var isFolded: Bool { !content.isEmpty }

    /// The full entry: folded under a summary line, or that line if nothing else is to be said.
    var full: [String] { isFolded ? folded : [line] }

    /// Most readers do not unfold an entry, so its summary line contains what they decide on: the
    /// action, the reach, the displayed text, and the changed fields.
    private var folded: [String] {
        let refusal = entry.refusal.map { "<b>\(MarkdownText.summary($0))</b>" }
        let parts = BriefWording(entry: entry).parts.map(MarkdownText.summary)
        let heading = ([refusal, entry.headlines.first?.summary].compactMap(\.self) + parts)
            .joined(separator: " · ")
        let sign = "<code>\(MarkdownText.entities(entry.symbol.rawValue))</code>"
        return [
            "<details><summary>\(sign) <b><code>\(MarkdownText.entities(entry.name))</code></b> "
                + "\(heading)</summary>", "",
        ] + content + ["", "</details>"]
    }

    /// The entry on one line, also for comments without room for more.
    var line: String {
        let refusal = entry.refusal.map(MarkdownText.prose)
        let wording = [refusal, entry.headlines.first?.markdown].compactMap(\.self)
        return "- `\(entry.symbol.rawValue)` \(MarkdownText.code(entry.name)) "
            + wording.joined(separator: " · ")
    }
}

extension PlanEntry.Headline {
    /// The headline and its time, with commands as code.
    var markdown: String { quotes ? MarkdownText.prose(text) : MarkdownText.advice(text) }

    /// The same inside an HTML element.
    fileprivate var summary: String {
        quotes ? MarkdownText.summary(text) : MarkdownText.summaryAdvice(text)
    }
}

extension MomentDescription {
    /// The local time and UTC.
    var markdown: String {
        let local = MarkdownText.prose("\(weekday) \(self.local) \(zone)")
        return "\(local) (\(MarkdownText.code(utc)))"
    }
}

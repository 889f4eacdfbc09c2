import CampaignModel

/// Renders an entry of a plan as Markdown.
struct PlanMarkdownEntry {
    /// The maximum number of message fields to show.
    private static let maximumFields = 20

    let entry: PlanEntry

    /// The full entry, folded under a summary line.
    ///
    /// Most readers do not unfold it, so the line contains what they decide on: the action, the
    /// reach, the displayed text, and the changed fields.
    var folded: [String] {
        let refusal = entry.refusal.map { "<b>\(MarkdownText.summary($0))</b>" }
        let parts = entry.headlines.prefix(1).map(\.text) + BriefWording(entry: entry).parts
        let heading = ([refusal].compactMap(\.self) + parts.map(MarkdownText.summary))
            .joined(separator: " · ")
        return [
            "<details><summary>\(sign(entry.symbol)) <b><code>\(MarkdownText.entities(entry.name))"
                + "</code></b> \(heading)</summary>", "",
        ] + content + ["", "</details>"]
    }

    /// The entry on one line, for comments without room for more.
    var line: String {
        let parts = [entry.refusal, entry.headlines.first?.text].compactMap(\.self)
        let wording = parts.map(MarkdownText.prose).joined(separator: " · ")
        return "- `\(entry.symbol.rawValue)` \(MarkdownText.code(entry.name)) \(wording)"
    }

    private var content: [String] {
        var lines = fact("About", sentences: entry.about.map { [MarkdownText.prose($0)] } ?? [])
        lines += entry.headlines.dropFirst().map { headline in
            "- `\(headline.symbol.rawValue)` \(MarkdownText.prose(headline.text))"
        }
        lines += entry.notices.map { "- **Note:** \(MarkdownText.advice($0))" }
        lines += fact("Audience", sentences: entry.who.map(MarkdownText.prose))
        lines += fact("When", sentences: moments, separator: "; ")
        lines += fact("Repeats", sentences: rule, separator: "; ")
        lines += fact("How", sentences: entry.how.map(MarkdownText.prose))
        lines += message + personal
        guard !entry.changes.isEmpty else { return lines }
        return lines + [""] + PlanMarkdownDiff(entry.changes).lines
    }

    private func fact(_ name: String, sentences: [String], separator: String = " ") -> [String] {
        sentences.isEmpty ? [] : ["- **\(name):** " + sentences.joined(separator: separator)]
    }

    private var moments: [String] {
        entry.headlines.compactMap { headline in
            let former = headline.former.map(Self.absolute)
            guard let moment = headline.moment else { return former.map { "previously " + $0 } }
            return Self.wording(moment) + (former.map { ", previously " + $0 } ?? "")
        }
    }

    private var rule: [String] {
        guard let rule = entry.rule else { return [] }
        let wording = MarkdownText.prose("in \(rule.zone): \(rule.wording)")
        let next = entry.laterMoments.map(Self.wording)
        return ["\(MarkdownText.code(rule.text)) \(wording)"] + next
    }

    private func sign(_ symbol: PlanSymbol) -> String {
        "<code>\(MarkdownText.entities(symbol.rawValue))</code>"
    }

    private static func wording(_ moment: MomentDescription) -> String {
        let note = moment.note.map { " – \($0)" } ?? ""
        return absolute(moment) + ", " + MarkdownText.prose(moment.distance + note)
    }

    /// The local time and UTC.
    static func absolute(_ moment: MomentDescription) -> String {
        let local = MarkdownText.prose("\(moment.weekday) \(moment.local) \(moment.zone)")
        return "\(local) (\(MarkdownText.code(moment.utc)))"
    }
}

// MARK: - Message

extension PlanMarkdownEntry {
    private var message: [String] {
        guard let message = entry.message else { return [] }
        return together(message.platforms, prefix: "", wording: delivery)
            + together(message.platforms, prefix: "Shown on ", wording: shown)
            + message.localized.flatMap { text in
                together(text.platforms, prefix: "Shown in \(text.locale) on ", wording: shown)
            }
            + fields(message)
            + repeated(message)
    }

    private var personal: [String] {
        guard let personal = entry.personal else { return [] }
        let examples = personal.examples.map { example in
            "\(MarkdownText.code(example.path)) \(MarkdownText.code(example.value))"
        }
        return fact("Rows", sentences: personal.sentences(quoting: MarkdownText.code))
            + fact("Example", sentences: examples, separator: ", ")
    }

    private func repeated(_ message: MessageDescription) -> [String] {
        guard let replacement = message.replacement else { return [] }
        return ["- \(replacement.wording) (key \(MarkdownText.code(replacement.key)))."]
    }

    /// Merges lines of platforms with the same text.
    private func together(
        _ platforms: [PlatformDescription],
        prefix: String,
        wording: (PlatformDescription) -> String?
    ) -> [String] {
        var lines: [(names: [String], wording: String)] = []
        for platform in platforms {
            guard let wording = wording(platform) else { continue }
            if let index = lines.firstIndex(where: { $0.wording == wording }) {
                lines[index].names.append(platform.platform.displayName)
            } else {
                lines.append(([platform.platform.displayName], wording))
            }
        }
        return lines.map { "- **\(prefix)\($0.names.joined(separator: ", ")):** \($0.wording)" }
    }

    private func delivery(_ story: PlatformDescription) -> String? {
        guard story.getsSomething else { return "receives nothing" }
        let parts = [story.kind, story.life, story.priority, story.replaces].compactMap(\.self)
        return MarkdownText.prose(parts.joined(separator: ", "))
    }

    private func shown(_ story: PlatformDescription) -> String? {
        let parts = [("title", story.title), ("body", story.body), ("image", story.image)]
        let wording = parts.compactMap { name, text in
            text.map { "\(name) \(MarkdownText.code($0))" }
        }
        return wording.isEmpty ? nil : wording.joined(separator: ", ")
    }

    private func fields(_ message: MessageDescription) -> [String] {
        var seen: Set<PlatformDescription.Field> = []
        var all = message.platforms.flatMap(\.fields).filter { seen.insert($0).inserted }
            .map { (field: $0, language: "") }
        for text in message.localized {
            var own = seen
            all += text.platforms.flatMap(\.fields).filter { own.insert($0).inserted }
                .map { (field: $0, language: " in \(text.locale)") }
        }
        let more = all.count - Self.maximumFields
        return all.prefix(Self.maximumFields).map {
            "- \(MarkdownText.code($0.field.path))\($0.language): "
                + MarkdownText.code($0.field.value)
        } + (more > 0 ? ["- And \(more.counting("more field"))."] : [])
    }
}

/// Renders changes like `git diff --word-diff`: `[-removed-]` and `{+added+}`.
struct PlanMarkdownDiff {
    private let changes: [ChangeDescription]

    init(_ changes: [ChangeDescription]) {
        self.changes = changes
    }

    var lines: [String] { MarkdownText.block(changes.flatMap(lines), language: "diff") }

    private func lines(_ change: ChangeDescription) -> [String] {
        let platforms =
            (1..<Platform.allCases.count).contains(change.platforms.count)
            ? " (" + change.platforms.map(\.displayName).joined(separator: ", ") + ")" : ""
        let before = change.before.map { _ in "- " + side(change, without: .added) }
        let after = change.after.map { _ in "+ " + side(change, without: .removed) }
        return ["  " + change.name + platforms] + [before, after].compactMap(\.self)
    }

    private func side(_ change: ChangeDescription, without other: TextSegment.Kind) -> String {
        let isWhole = !change.segments.contains { $0.kind == .same || $0.kind == .elided }
        return change.segments.filter { $0.kind != other }.map { segment in
            let text = MarkdownText.excerpt(segment.text)
            return switch segment.kind {
            case .same: text
            case .elided: " … \(text) …"
            case .removed: isWhole ? text : "[-\(text)-]"
            case .added: isWhole ? text : "{+\(text)+}"
            }
        }.joined()
    }
}

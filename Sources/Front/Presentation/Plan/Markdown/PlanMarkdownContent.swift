import CampaignModel

/// Renders the content of an entry below its summary line.
struct PlanMarkdownContent {
    /// The maximum number of message fields to show.
    private static let maximumFields = 20

    let entry: PlanEntry

    /// Empty if the summary line says everything.
    var lines: [String] {
        var lines = fact("About", sentences: entry.about.map { [MarkdownText.prose($0)] } ?? [])
        lines += entry.headlines.dropFirst().map { headline in
            "- `\(headline.symbol.rawValue)` \(headline.markdown)"
        }
        lines += entry.notices.map { "- **Note:** \(MarkdownText.advice($0))" }
        lines += fact("Next", sentences: entry.next.map(MarkdownText.advice))
        lines += fact("Audience", sentences: entry.who.map(MarkdownText.prose))
        let lateness = entry.lateness.map { [MarkdownText.advice($0)] } ?? []
        lines += fact("When", sentences: moments + lateness, separator: "; ")
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
            let former = headline.former.map(\.markdown)
            guard let moment = headline.moment else { return former.map { "was due " + $0 } }
            return Self.wording(moment) + (former.map { ", previously " + $0 } ?? "")
        }
    }

    private var rule: [String] {
        guard let rule = entry.rule else { return [] }
        let wording = MarkdownText.prose("in \(rule.zone): \(rule.wording)")
        let next = entry.laterMoments.map(Self.wording)
        return ["\(MarkdownText.code(rule.text)) \(wording)"] + next
    }

    private static func wording(_ moment: MomentDescription) -> String {
        let note = moment.note.map { " – \($0)" } ?? ""
        return moment.markdown + ", " + MarkdownText.prose(moment.distance + note)
    }
}

// MARK: - Message

extension PlanMarkdownContent {
    private var message: [String] {
        guard let message = entry.message else { return [] }
        return together(message.platforms, prefix: "", wording: delivery)
            + (message.isOwnSent
                ? together(message.platforms, prefix: shownOn(message), wording: shown) : [])
            + message.others.flatMap { text in
                together(text.platforms, prefix: "Shown in \(text.name) on ", wording: shown)
            }
            + fields(message)
            + repeated(message)
    }

    /// A campaign with `locales` has several texts.
    private func shownOn(_ message: MessageDescription) -> String {
        message.others.isEmpty ? "Shown on " : "Shown in the campaign's own text on "
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
        let renewal = message.renewal.map { "- \(MarkdownText.advice($0))" }
        let accident = message.replacement.map { replacement in
            "- \(replacement.wording) (key \(MarkdownText.code(replacement.key)))."
        }
        return [renewal, accident].compactMap(\.self)
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
        for text in message.others {
            var own = seen
            all += text.platforms.flatMap(\.fields).filter { own.insert($0).inserted }
                .map { (field: $0, language: " in \(text.name)") }
        }
        let more = all.count - Self.maximumFields
        return all.prefix(Self.maximumFields).map {
            "- \(MarkdownText.code($0.field.path))\($0.language): "
                + MarkdownText.code($0.field.value)
        } + (more > 0 ? ["- And \(more.counting("more field"))."] : [])
    }
}

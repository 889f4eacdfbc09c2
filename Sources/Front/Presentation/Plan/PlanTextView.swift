import CampaignModel
package import Planning
package import Time

/// Renders the plan as text, as wide as prose.
///
/// Symbols and words carry all information, colours none.
package struct PlanTextView: Sendable {
    private let style: TextStyle

    package init(style: TextStyle) {
        self.style = style
    }

    package func render(
        _ plan: Plan,
        zones: TimeZoneDatabase,
        places: InheritedPlaces? = nil
    ) -> String {
        render(PlanDescription(plan, zones: zones, places: places))
    }

    package func render(_ story: PlanDescription) -> String {
        var page = TextPage(style: style)
        var destination = WrappedText()
        destination.append(story.head.destination.place + ", ", in: .strong)
        destination.append(unbroken: story.head.destination.protection)
        page.paragraph(destination, hanging: "  ")
        if let remark = story.stateRemark {
            var text = WrappedText()
            text.append(remark, in: .attention)
            page.paragraph(text)
        }
        if !story.groups.isEmpty { head(story, on: &page) }
        for group in story.groups {
            page.line(group.kind.title(in: story.mood), in: .strong)
            page.blank()
            for entry in group.entries { self.entry(entry, on: &page) }
        }
        guards(story.guards, on: &page)
        notices(story.notices, on: &page)
        if story.leftOut > 0 {
            page.line(
                "\(story.leftOut.counting("campaign")) left out by --only or --except.",
                in: .plain
            )
        }
        for remark in [story.keepingRemark, story.schedulingRemark].compactMap(\.self) {
            page.paragraph(WrappedText(remark))
        }
        if let refusal = story.refusal {
            var text = WrappedText()
            text.append(refusal, in: .bad)
            page.paragraph(text)
        }
        page.paragraph(WrappedText(story.summary))
        if let digest = story.digest { page.line("Digest \(digest)", in: .plain) }
        if story.stateRemark != nil { page.line(WithoutStateWording.noDigest, in: .attention) }
        return page.text
    }

    private func head(_ story: PlanDescription, on page: inout TextPage) {
        let head = story.head
        page.line("Plan for \(head.environment) of \(head.project)", in: .strong)
        page.line(
            "\(head.now.weekday) \(head.now.local) \(head.now.zone) (\(head.now.utc))",
            in: .plain
        )
        let symbols = story.symbols.map { "\($0.rawValue) \($0.wording(in: story.mood))" }
        let hasDiffs = story.groups.contains { $0.entries.contains { !$0.changes.isEmpty } }
        let marks = hasDiffs ? ["[-old-]{+new+}"] : []
        var legend = WrappedText()
        for mark in symbols + marks { legend.append(mark, apart: 3, in: .faint) }
        page.paragraph(legend)
        page.blank()
    }

    private func notices(_ notices: [NoticeDescription], on page: inout TextPage) {
        guard !notices.isEmpty else { return }
        page.line("Notes", in: .strong)
        page.blank()
        for notice in notices {
            var text = WrappedText()
            text.append(notice.subject, in: .strong)
            text.append(": " + notice.wording)
            page.paragraph(text, indent: "  ", hanging: "    ")
        }
        page.blank()
    }

    private func guards(_ guards: [GuardDescription], on page: inout TextPage) {
        guard !guards.isEmpty else { return }
        page.line("Guards", in: .strong)
        page.blank()
        for story in guards {
            var text = WrappedText()
            text.append(story.outcome == .refused ? "! " : "= ", in: story.outcome.tone)
            text.append("\(story.outcome.rawValue) ", in: story.outcome.tone)
            text.append(story.name, in: .strong)
            text.append((story.subject.map { ": \($0)" } ?? "") + ": " + story.wording)
            page.paragraph(text, indent: "  ", hanging: "    ")
        }
        page.blank()
    }
}

// MARK: - Entries

extension PlanTextView {
    private func entry(_ entry: PlanEntry, on page: inout TextPage) {
        for (place, headline) in entry.headlines.enumerated() {
            self.headline(headline, of: place == 0 ? entry.name : nil, on: &page)
        }
        if let refusal = entry.refusal { page.row("guard", words: refusal, labelled: .bad) }
        if let lateness = entry.lateness { page.row("late", words: lateness) }
        changes(entry.changes, on: &page)
        page.row("to", words: entry.who.joined(separator: " "))
        if let message = entry.message { self.message(message, on: &page) }
        if let personal = entry.personal { self.personal(personal, on: &page) }
        rule(of: entry, on: &page)
        page.row("how", words: (entry.how + repeats(entry.message)).joined(separator: " "))
        for sentence in entry.next { page.row("next", words: sentence, labelled: .attention) }
        for notice in entry.notices { page.row("note", words: notice, labelled: .attention) }
        page.blank()
    }

    private func headline(
        _ headline: PlanEntry.Headline,
        of name: String?,
        on page: inout TextPage
    ) {
        var text = WrappedText()
        text.append(headline.symbol.rawValue, in: headline.symbol.tone)
        text.append(" ")
        if let name {
            text.append(name, in: .strong)
            text.append(" ")
        }
        text.append(headline.wording)
        page.paragraph(text, indent: "  ", hanging: "    ")
        if let former = headline.former { page.row("was", moment: former) }
        if let moment = headline.moment {
            page.row("when", moment: moment)
        }
    }

    private func rule(of entry: PlanEntry, on page: inout TextPage) {
        guard let rule = entry.rule else { return }
        page.row("rule", words: "\(rule.wording), \(rule.zone) (\(rule.text))", isForeign: true)
        for (place, moment) in entry.laterMoments.enumerated() {
            page.row(place == 0 ? "then" : "", moment: moment, isZoneTold: true)
        }
    }

    private func personal(_ personal: PersonalDescription, on page: inout TextPage) {
        let sentences = personal.sentences { "“\($0)”" }
        page.row("rows", words: sentences.joined(separator: " "), isForeign: true)
        for (place, example) in personal.examples.enumerated() {
            var text = WrappedText()
            text.append(foreign: example.path)
            text.append(": “")
            WrappedText.Excerpt(of: example.value).write(to: &text)
            text.append("”")
            page.row(place == 0 ? "e.g." : "", text: text)
        }
    }

    private func repeats(_ message: MessageDescription?) -> [String] {
        let accident = message?.replacement.map { "\($0.wording) (key \($0.key))." }
        return [message?.renewal, accident].compactMap(\.self)
    }

    private func changes(_ changes: [ChangeDescription], on page: inout TextPage) {
        for change in changes {
            var text = WrappedText()
            text.append(foreign: change.name)
            if !change.platforms.isEmpty, change.platforms.count < Platform.allCases.count {
                text.append(" on " + change.platforms.names)
            }
            text.append(": ")
            for segment in change.segments { segment.write(to: &text) }
            page.row("diff", text: text)
        }
    }
}

// MARK: - Messages

extension PlanTextView {
    /// Platforms with the same text share a line.
    private func message(_ message: MessageDescription, on page: inout TextPage) {
        let getting = message.platforms.filter(\.getsSomething)
        let kinds = Self.shared(message.platforms) { $0.kind }
        page.row("what", words: kinds.map { "\($0.value) on \($0.names)" }.joined(separator: "; "))
        if message.isOwnSent { texts(getting, on: &page) }
        for other in message.others {
            let getting = other.platforms.filter(\.getsSomething)
            texts(getting, in: other.name, on: &page)
        }
        fields(getting, on: &page)
        let own = Set(message.platforms.flatMap(\.fields))
        for other in message.others {
            fields(other.platforms, in: other.name, besides: own, on: &page)
        }
        let lives = Self.shared(getting, by: \.deliveryWording)
        for (place, life) in lives.enumerated() {
            let names = lives.count > 1 ? "\(life.names): " : ""
            page.row(place == 0 ? "kept" : "", words: names + life.value)
        }
    }

    /// `name`: that of another text; nil for the campaign's own.
    private func texts(
        _ platforms: [PlatformDescription],
        in name: String? = nil,
        on page: inout TextPage
    ) {
        let language = name.map { " in \($0)" } ?? ""
        for (label, text) in Self.texts {
            let values = Self.shared(platforms.filter(\.showsSomething), by: text)
            for value in values {
                guard let shown = value.value else { continue }
                let names = values.count > 1 ? " on \(value.names)" : ""
                page.row(
                    name: label + language + names,
                    excerpt: WrappedText.Excerpt(of: shown),
                    between: (before: ": “", after: "”")
                )
            }
        }
    }

    private static let texts: [(String, @Sendable (PlatformDescription) -> String?)] = [
        ("title", { $0.title }), ("body", { $0.body }), ("image", { $0.image }),
    ]

    /// The fields that are neither displayed nor described elsewhere, grouped by platform.
    ///
    /// `name`: that of another text; nil for the campaign's own. `told`: fields to omit.
    private func fields(
        _ platforms: [PlatformDescription],
        in name: String? = nil,
        besides told: Set<PlatformDescription.Field> = [],
        on page: inout TextPage
    ) {
        let language = name.map { " in \($0)" } ?? ""
        var order: [PlatformDescription.Field] = []
        var owners: [PlatformDescription.Field: [Platform]] = [:]
        for platform in platforms {
            for field in platform.fields where !told.contains(field) {
                if owners[field] == nil { order.append(field) }
                owners[field, default: []].append(platform.platform)
            }
        }
        for field in order {
            let path = field.path.split(separator: ".")
            let isOwn = ["android", "apns", "webpush"].contains(path.first)
            let names = owners[field] ?? []
            let isEverywhere = names.count == platforms.count || isOwn
            let suffix = isEverywhere ? "" : " on \(names.names)"
            page.row(
                name: field.path + language + suffix,
                excerpt: WrappedText.Excerpt(of: field.value),
                between: (before: ": ", after: "")
            )
        }
    }

    /// Values with the platforms that share them, in the order of the platforms.
    private static func shared<Value: Equatable>(
        _ platforms: [PlatformDescription],
        by value: (PlatformDescription) -> Value
    ) -> [(value: Value, names: String)] {
        var groups: [(value: Value, platforms: [Platform])] = []
        for platform in platforms {
            let value = value(platform)
            if let place = groups.firstIndex(where: { $0.value == value }) {
                groups[place].platforms.append(platform.platform)
            } else {
                groups.append((value, [platform.platform]))
            }
        }
        return groups.map { ($0.value, $0.platforms.names) }
    }
}

extension PlatformDescription {
    /// For example, `up to 12h, high priority, replaces an older “spring-tide”`.
    fileprivate var deliveryWording: String {
        let kept = life.hasPrefix("kept ") ? String(life.dropFirst("kept ".count)) : life
        return [kept, priority, replaces].compactMap(\.self).joined(separator: ", ")
    }
}

extension GuardDescription.Outcome {
    fileprivate var tone: TextStyle.Tone { self == .refused ? .bad : .attention }
}

extension PlanSymbol {
    fileprivate var tone: TextStyle.Tone {
        switch self {
        case .send, .add: .good
        case .change, .wait: .attention
        case .remove, .attention: .bad
        }
    }
}

extension TextSegment {
    /// Marks changes like `git diff --word-diff`, so that they are visible without colours.
    fileprivate func write(to wrapped: inout WrappedText) {
        switch kind {
        case .same: wrapped.append(foreign: text)
        case .removed: wrapped.append(foreign: "[-\(text)-]", in: .bad)
        case .added: wrapped.append(foreign: "{+\(text)+}", in: .good)
        case .elided: wrapped.append(" … \(text) … ", in: .faint)
        }
    }
}

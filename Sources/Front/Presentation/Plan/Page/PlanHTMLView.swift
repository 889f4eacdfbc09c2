import HTML

/// Renders the plan as a self-contained HTML page.
package struct PlanHTMLView: Sendable {
    /// The number of entries that are initially unfolded.
    static let unfolded = 20

    package init() {}

    /// Renders the page.
    ///
    /// `places`: the declarations of all campaigns, also of those without an entry, by name. `sources`: where links to
    /// the project's files lead.
    package func render(
        _ story: PlanDescription,
        timeline: PlanTimeline,
        places: [String: SourcePlace],
        sources: SourceLinks = .besidePage
    ) -> String {
        let head = PlanPageHead(story: story)
        let document = HTMLDocument(
            title: "Plan for \(story.head.environment) of \(story.head.project)",
            styles: PlanPageStyle.sheets,
            script: HTMLScript(PlanPageScript.source)
        ) {
            HTMLNode(.a, .class("skip"), .link(toPart: "plan"), text: "Skip to the plan")
            head.node
            HTMLNode(.main, .id("plan")) {
                PlanPageGuards(guards: story.guards).node
                PlanPageFilter(story: story, timeline: timeline).node
                PlanPageTable(
                    table: PlanTable(story, timeline: timeline),
                    sources: sources,
                    mood: story.mood
                ).node
                PlanPageTimeline(timeline: timeline, story: story, places: places, sources: sources)
                    .node
                groups(story, sources: sources)
                notices(story.notices)
            }
            foot(story)
        }
        return document.markup
    }

    private func groups(_ story: PlanDescription, sources: SourceLinks) -> [HTMLNode] {
        var count = 0
        return story.groups.map { group in
            HTMLNode(.section, .class("kind"), .labelled(by: group.kind.part)) {
                HTMLNode(.h2, .id(group.kind.part)) {
                    group.kind.title(in: story.mood)
                    " "
                    HTMLNode(.span, .class("count"), text: group.count)
                }
                group.entries.map { entry in
                    count += 1
                    return PlanPageEntry(
                        entry: entry,
                        kind: group.kind,
                        head: story.head,
                        number: count,
                        sources: sources
                    ).node
                }
            }
        }
    }

    private func notices(_ notices: [NoticeDescription]) -> HTMLNode? {
        guard !notices.isEmpty else { return nil }
        return HTMLNode(.section, .labelled(by: "notes")) {
            HTMLNode(.h2, .id("notes"), text: "Notes")
            HTMLNode(.ul, .class("notices")) {
                notices.map { notice in
                    HTMLNode(.li) {
                        HTMLNode(.strong) { HTMLNode(.bdi, text: notice.subject) }
                        ": "
                        HTMLNode.advice(notice.wording)
                    }
                }
            }
        }
    }

    private func foot(_ story: PlanDescription) -> HTMLNode {
        HTMLNode(.footer) {
            if !story.symbols.isEmpty {
                HTMLNode(.h2, text: "Symbols")
                HTMLNode(.ul, .class("legend")) {
                    story.symbols.map { symbol in
                        HTMLNode(.li) {
                            symbol.sign
                            " "
                            symbol.wording(in: story.mood)
                        }
                    }
                }
            }
            if let remark = story.keepingRemark { HTMLNode(.p, .class("quiet"), text: remark) }
            HTMLNode(
                .p,
                .class("quiet"),
                text: "The phones approximate how each system shows the message. "
                    + "This page loads nothing: images are named, not shown. Its script only filters "
                    + "and copies."
            )
        }
    }
}

extension PlanGroup {
    /// The ID of the group's section.
    var part: String { "group-" + rawValue }
}

extension PlanSymbol {
    /// The symbol, hidden from screen readers because the text next to it has the same meaning.
    var sign: HTMLNode {
        HTMLNode(.span, .class("sign", "sign-\(self)"), .hidden, text: rawValue)
    }
}

extension HTMLNode {
    /// Renders Herald's own text, in which commands are between backticks.
    static func advice(_ text: String) -> [HTMLNode] {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
        guard !parts.count.isMultiple(of: 2) else { return [.text(text)] }
        return parts.enumerated().map { index, part in
            index.isMultiple(of: 2) ? .text(part) : HTMLNode(.code, text: part)
        }
    }
}

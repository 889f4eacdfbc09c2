import HTML

/// Renders an entry, folded under its headline.
struct PlanPageEntry {
    let entry: PlanEntry
    let kind: PlanGroup
    let head: PlanDescription.Head
    /// The position on the page, from 1.
    let number: Int
    let sources: SourceLinks

    var node: HTMLNode {
        let attributes: [HTMLAttribute] = number <= PlanHTMLView.unfolded ? [.open] : []
        let content = content
        let body: HTMLNode =
            content.isEmpty
            ? HTMLNode(.div, .class("flat")) { summary }
            : .element(.details, attributes, [HTMLNode(.summary) { summary }] + content)
        return .element(
            .article,
            [.class("entry"), .labelled(by: "entry-\(number)")]
                + PlanPageFilter.attributes(of: entry, kind: kind),
            [body]
        )
    }

    private var summary: [HTMLNode] {
        [
            entry.symbol.sign,
            HTMLNode(.h3, .id("entry-\(number)")) { HTMLNode(.bdi, text: entry.name) },
            HTMLNode(.span, .class("headline")) {
                " "
                if let refusal = entry.refusal {
                    HTMLNode(.strong, text: refusal)
                    ": "
                }
                entry.headlines.first?.nodes ?? []
            },
        ]
    }

    private var content: [HTMLNode] {
        [
            entry.about.map { HTMLNode(.p, .class("about"), .ownDirection, text: $0) },
            more, notices,
            facts.isEmpty ? nil : .element(.dl, [.class("facts")], facts),
            entry.changes.isEmpty ? nil : PlanPageChanges(changes: entry.changes).node,
            entry.message.map { PlanPageMessage(message: $0, entry: entry, head: head).node },
        ].compactMap(\.self)
    }

    /// The remaining headlines.
    private var more: HTMLNode? {
        guard entry.headlines.count > 1 else { return nil }
        return HTMLNode(.ul, .class("more")) {
            entry.headlines.dropFirst().map { headline in
                HTMLNode(.li) {
                    headline.symbol.sign
                    " "
                    headline.nodes
                }
            }
        }
    }

    private var notices: HTMLNode? {
        guard !entry.notices.isEmpty else { return nil }
        return HTMLNode(.ul, .class("notices")) {
            entry.notices.map { wording in HTMLNode(.li) { HTMLNode.advice(wording) } }
        }
    }

    private var facts: [HTMLNode] {
        fact("Audience", lines: entry.who.map { [.text($0)] })
            + fact("When", lines: moments + lateness + rule)
            + fact("Next", lines: entry.next.map { HTMLNode.advice($0) })
            + fact("How", lines: entry.how.map { [.text($0)] }) + personal
            + fact("File", lines: entry.place.map { [[sources.node($0)]] } ?? [])
    }

    private var personal: [HTMLNode] {
        guard let personal = entry.personal else { return [] }
        let sentences = personal.sentences { "“\($0)”" }
        let examples = personal.examples.map { [HTMLNode.text("\($0.path): “\($0.value)”")] }
        return fact("Rows", lines: sentences.map { [.text($0)] })
            + fact("Example", lines: examples)
    }

    private var moments: [[HTMLNode]] {
        entry.headlines.compactMap { headline in
            let former = headline.former.map { PlanPageMoment(moment: $0).absolute }
            guard let moment = headline.moment else {
                return former.map { [.text("was due "), $0] }
            }
            return PlanPageMoment(moment: moment).nodes
                + (former.map { [.text("; previously "), $0] } ?? [])
        }
    }

    private var lateness: [[HTMLNode]] {
        entry.lateness.map { [HTMLNode.advice($0)] } ?? []
    }

    private var rule: [[HTMLNode]] {
        guard let rule = entry.rule else { return [] }
        let next = entry.laterMoments.map { PlanPageMoment(moment: $0).nodes }
        return [
            [
                HTMLNode(.code, text: rule.text), .text(" in \(rule.zone): "), .text(rule.wording),
            ]
        ] + next
    }

    private func fact(_ name: String, lines: [[HTMLNode]]) -> [HTMLNode] {
        guard !lines.isEmpty else { return [] }
        return [HTMLNode(.dt, text: name)]
            + lines.map { line in HTMLNode(.dd, .ownDirection) { line } }
    }
}

extension PlanEntry.Headline {
    /// The headline followed by its time, if it has one.
    var text: String { wording + shortMoment }

    private var shortMoment: String {
        moment.map { " – \(repeats ? "next " : "")\($0.shortText)" } ?? ""
    }

    /// The headline and its time, with commands as code.
    fileprivate var nodes: [HTMLNode] {
        (quotes ? [.text(wording)] : HTMLNode.advice(wording)) + [.text(shortMoment)]
    }
}

import HTML

/// Renders the changes as a table, which the page's filter narrows.
struct PlanPageTable {
    let table: PlanTable
    let sources: SourceLinks
    let mood: PlanMood

    var node: HTMLNode? {
        guard !table.rows.isEmpty else { return nil }
        return HTMLNode(.section, .labelled(by: "changes")) {
            HTMLNode(.h2, .id("changes")) {
                title
                " "
                HTMLNode(.span, .class("count"), text: table.rows.count.grouped)
            }
            HTMLNode(.div, .class("scrolling", "panel"), .scrollable, .group, .label(title)) {
                HTMLNode(.table, .class("changes-table")) {
                    HTMLNode(.thead) {
                        HTMLNode(.tr) {
                            (PlanTable.columns + ["File"]).map {
                                HTMLNode(.th, .scope(.column), text: $0)
                            }
                        }
                    }
                    HTMLNode(.tbody) { table.rows.map(row) }
                }
            }
            HTMLNode(
                .p,
                .class("quiet", "no-match"),
                .withoutScriptHidden,
                text: "No change matches the filter."
            )
        }
    }

    private var title: String {
        switch mood {
        case .indicative: "Changes"
        case .conditional: "Changes without the refusal"
        }
    }

    private func row(_ row: PlanTable.Row) -> HTMLNode {
        .element(
            .tr,
            PlanPageFilter.attributes(of: row.entry, kind: row.kind),
            [
                HTMLNode(.th, .scope(.row)) {
                    row.entry.symbol.sign
                    " "
                    HTMLNode(.a, .link(toPart: "entry-\(row.number)")) {
                        HTMLNode(.bdi, text: row.entry.name)
                    }
                },
                cell("Change", [.text(row.change)]),
                cell("When", when(row.when)),
                cell("Reach", [.text(row.reach ?? "–")]),
                cell("Messages per device", [.text(row.load ?? "–")]),
                cell("File", row.entry.place.map { [sources.node($0)] } ?? [.text("–")]),
            ]
        )
    }

    /// A phone shows the column's name in the cell instead of in a head.
    private func cell(_ column: String, _ content: [HTMLNode]) -> HTMLNode {
        HTMLNode(.td, .data("column", column)) {
            HTMLNode(.span, .ownDirection) { content }
        }
    }

    private func when(_ when: PlanTable.When) -> [HTMLNode] {
        switch when {
        case .now: return [HTMLNode(.strong, text: "now")]
        case .never: return [.text("–")]
        case .at(let moment, let repeats):
            return [
                .text(repeats ? "next " : ""),
                HTMLNode(.time, .moment(moment.utc)) {
                    "\(moment.weekday.prefix(3)) "
                    HTMLNode(.span, .class("stamp"), text: moment.local)
                },
                HTMLNode(.span, .class("quiet"), text: ", \(moment.distance)"),
            ]
        }
    }
}

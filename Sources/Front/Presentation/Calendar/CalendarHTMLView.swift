import Applying
import CampaignModel
import HTML
import State
import Time

/// Renders a calendar as a self-contained HTML page: a grid of weeks, and a table of all sends.
package struct CalendarHTMLView: Sendable {
    package init() {}

    package func render(_ calendar: CalendarDescription) -> String {
        HTMLDocument(title: calendar.title, styles: CalendarPageStyle.sheets) {
            HTMLNode(.a, .class("skip"), .link(toPart: "calendar"), text: "Skip to the calendar")
            head(calendar)
            HTMLNode(.main, .id("calendar")) {
                CalendarPageWeeks(calendar: calendar).node
                CalendarPageTable(calendar: calendar).node
                notes(calendar.notes)
            }
            HTMLNode(.footer) {
                HTMLNode(.p, .class("quiet"), text: "This page loads nothing and runs no scripts.")
            }
        }.markup
    }

    private func head(_ calendar: CalendarDescription) -> HTMLNode {
        let scope = calendar.scope
        return HTMLNode(.header) {
            HTMLNode(.h1, text: calendar.title)
            HTMLNode(.dl, .class("facts")) {
                HTMLNode(.dt, text: "Days")
                HTMLNode(.dd, text: "\(scope.days.lowerBound) to \(scope.days.upperBound)")
                HTMLNode(.dt, text: "Time zone")
                HTMLNode(.dd, text: scope.zone.name)
                HTMLNode(.dt, text: "As of")
                HTMLNode(.dd) {
                    HTMLNode(.time, .moment(scope.now.utcText)) {
                        "\(scope.zone.localTime(at: scope.now)) "
                        HTMLNode(.span, .class("stamp", "quiet"), text: "(\(scope.now.utcText))")
                    }
                }
                HTMLNode(.dt, text: "State")
                HTMLNode(.dd) {
                    HTMLNode(.code, text: scope.lineage.text)
                    ", serial \(scope.serial)"
                }
            }
        }
    }

    private func notes(_ notes: [String]) -> HTMLNode? {
        guard !notes.isEmpty else { return nil }
        return HTMLNode(.section, .labelled(by: "notes")) {
            HTMLNode(.h2, .id("notes"), text: "Notes")
            HTMLNode(.ul) { notes.map { note in HTMLNode(.li) { HTMLNode.advice(note) } } }
        }
    }
}

/// Renders the weeks of a calendar as a grid that begins on Monday.
struct CalendarPageWeeks {
    let calendar: CalendarDescription

    var node: HTMLNode {
        HTMLNode(.section, .labelled(by: "weeks")) {
            HTMLNode(.h2, .id("weeks"), text: "Weeks")
            if calendar.days.isEmpty { HTMLNode(.p, text: CalendarDescription.nothing) }
            grid.nodes
        }
    }

    private var grid: CalendarGrid {
        CalendarGrid(
            days: calendar.scope.days,
            today: calendar.today,
            content: Dictionary(calendar.days.map { ($0.date, groups(of: $0)) }) { first, _ in
                first
            }
        )
    }

    private func groups(of day: CalendarDay) -> [CalendarGrid.Group] {
        day.audiences.map { audience in
            CalendarGrid.Group(
                name: audience.audience.wording,
                items: audience.rows.map { row in
                    CalendarGrid.Item(
                        content: [
                            HTMLNode(.span, .class("stamp"), text: row.time), .text(" "), row.name,
                            .text(" "), row.mark,
                        ]
                    )
                }
            )
        }
    }
}

/// Renders all sends of a calendar as a table.
struct CalendarPageTable {
    let calendar: CalendarDescription

    var node: HTMLNode? {
        guard !calendar.days.isEmpty else { return nil }
        return HTMLNode(.section, .labelled(by: "sends")) {
            HTMLNode(.h2, .id("sends"), text: "All sends")
            HTMLNode(.div, .class("scrolling"), .scrollable, .group, .label("All sends")) {
                HTMLNode(.table) {
                    HTMLNode(.thead) {
                        HTMLNode(.tr) {
                            ["Day", "Time", "Audience", "Campaign", "State"].map {
                                HTMLNode(.th, .scope(.column), text: $0)
                            }
                        }
                    }
                    HTMLNode(.tbody) { calendar.days.flatMap(rows) }
                }
            }
        }
    }

    private func rows(_ day: CalendarDay) -> [HTMLNode] {
        day.audiences.flatMap { audience in
            audience.rows.map { row in
                HTMLNode(.tr) {
                    HTMLNode(.th, .scope(.row)) {
                        HTMLNode(
                            .time,
                            .class("stamp"),
                            .moment(day.date.description),
                            text: "\(day.date.weekday.shortName) \(day.date)"
                        )
                    }
                    HTMLNode(.td) { HTMLNode(.span, .class("stamp"), text: row.time) }
                    HTMLNode(.td) { HTMLNode(.bdi, text: audience.audience.wording) }
                    HTMLNode(.td) { row.name }
                    HTMLNode(.td, text: row.wording)
                }
            }
        }
    }
}

extension CalendarRow {
    /// The name of the campaign, struck through if nothing is sent.
    fileprivate var name: HTMLNode {
        let name = HTMLNode(.bdi, text: first.id.campaign.rawValue)
        return first.state.isDropped ? HTMLNode(.span, .class("dropped")) { name } : name
    }

    /// The state, without details.
    fileprivate var mark: HTMLNode {
        let words = count == 1 ? first.state.wording : "\(count.grouped) \(first.state.wording)"
        return HTMLNode(.span, .class("state", "state-\(first.state.rawValue)"), text: words)
    }
}

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

    /// The number of rows in the cell of a day; the table has all.
    private static let shown = 8

    var node: HTMLNode {
        let byDate = Dictionary(calendar.days.map { ($0.date, $0) }) { first, _ in first }
        return HTMLNode(.section, .labelled(by: "weeks")) {
            HTMLNode(.h2, .id("weeks"), text: "Weeks")
            if calendar.days.isEmpty { HTMLNode(.p, text: CalendarDescription.nothing) }
            HTMLNode(.ol, .class("weekdays"), .hidden) {
                dates.prefix(7).map { HTMLNode(.li, text: $0.weekday.shortName) }
            }
            HTMLNode(.ol, .class("weeks")) { dates.map { cell($0, byDate[$0]) } }
        }
    }

    /// The days of whole weeks.
    private var dates: [CivilDate] {
        let days = calendar.scope.days
        let first = days.lowerBound.daysSince1970
        let last = days.upperBound.daysSince1970
        let before = (days.lowerBound.weekday.rawValue + 6) % 7
        let after = (7 - days.upperBound.weekday.rawValue) % 7
        return (first - before...last + after).map(CivilDate.init(daysSince1970:))
    }

    private func cell(_ date: CivilDate, _ day: CalendarDay?) -> HTMLNode {
        guard calendar.scope.days.contains(date) else {
            return HTMLNode(.li, .class("outside"), .hidden) {}
        }
        let mark = date == calendar.today ? " today" : ""
        guard let day else {
            return HTMLNode(.li, .class("free" + mark)) {
                HTMLNode(.p, .class("date")) { title(date) }
            }
        }
        return HTMLNode(.li, .class("busy" + mark)) {
            HTMLNode(.h3) { title(date) }
            content(day)
        }
    }

    private func title(_ date: CivilDate) -> HTMLNode {
        HTMLNode(.time, .moment(date.description)) {
            HTMLNode(.span, .class("weekday"), text: date.weekday.shortName + " ")
            date.shortText
            if date.month == 1 || date == calendar.scope.days.lowerBound { " \(date.year)" }
            if date == calendar.today { ", today" }
        }
    }

    private func content(_ day: CalendarDay) -> [HTMLNode] {
        var left = Self.shown
        var nodes: [HTMLNode] = []
        var more = 0
        for audience in day.audiences {
            let rows = audience.rows
            let shown = rows.prefix(left)
            left -= shown.count
            more += rows.count - shown.count
            guard !shown.isEmpty else { continue }
            nodes.append(
                HTMLNode(.p, .class("audience")) {
                    HTMLNode(.bdi, text: audience.audience.wording)
                }
            )
            nodes.append(HTMLNode(.ul) { shown.map(item) })
        }
        if more > 0 { nodes.append(HTMLNode(.p, text: "and \(more.grouped) more")) }
        return nodes
    }

    private func item(_ row: CalendarRow) -> HTMLNode {
        HTMLNode(.li) {
            HTMLNode(.span, .class("stamp"), text: row.time)
            " "
            row.name
            " "
            row.mark
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
            HTMLNode(.div, .class("scrolling")) {
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

import HTML
import Time

/// A grid of weeks that begins on Monday, with the sends of each day by audience and time.
///
/// The calendar and the plan share it. A phone shows it as a list of the days with sends.
struct CalendarGrid {
    struct Item {
        /// The time, the name and the state.
        let content: [HTMLNode]
        /// What the page's script filters by.
        var attributes: [HTMLAttribute] = []
    }

    /// The sends to an audience on a day.
    struct Group {
        let name: String
        let items: [Item]
    }

    let days: ClosedRange<CivilDate>
    let today: CivilDate
    /// By day; days without sends are missing.
    let content: [CivilDate: [Group]]
    /// Whether the page's script may show the items that a cell has no room for.
    var keepsAll = false

    /// The number of items in the cell of a day; the page's table has all.
    private static let shown = 8

    var nodes: [HTMLNode] {
        [
            HTMLNode(.ol, .class("weekdays"), .hidden) {
                dates.prefix(7).map { HTMLNode(.li, text: $0.weekday.shortName) }
            },
            HTMLNode(.ol, .class("weeks")) { dates.map(cell) },
        ]
    }

    /// The days of whole weeks.
    private var dates: [CivilDate] {
        let before = (days.lowerBound.weekday.rawValue + 6) % 7
        let after = (7 - days.upperBound.weekday.rawValue) % 7
        return (days.lowerBound.daysSince1970 - before...days.upperBound.daysSince1970 + after)
            .map(CivilDate.init(daysSince1970:))
    }

    private func cell(_ date: CivilDate) -> HTMLNode {
        guard days.contains(date) else {
            return HTMLNode(.li, .class("outside"), .hidden) {}
        }
        let mark = date == today ? " today" : ""
        guard let groups = content[date], !groups.isEmpty else {
            return HTMLNode(.li, .class("free" + mark)) {
                HTMLNode(.p, .class("date")) { title(date) }
            }
        }
        return HTMLNode(.li, .class("busy" + mark)) {
            HTMLNode(.h3) { title(date) }
            rows(groups)
        }
    }

    private func title(_ date: CivilDate) -> HTMLNode {
        HTMLNode(.time, .moment(date.description)) {
            HTMLNode(.span, .class("weekday"), text: date.weekday.shortName + " ")
            date.shortText
            if (date.month, date.day) == (1, 1) || date == days.lowerBound { " \(date.year)" }
            if date == today { ", today" }
        }
    }

    private func rows(_ groups: [Group]) -> [HTMLNode] {
        var left = Self.shown
        var nodes: [HTMLNode] = []
        var more = 0
        for group in groups {
            let shown = group.items.prefix(left)
            let rest = group.items.dropFirst(shown.count)
            left -= shown.count
            more += rest.count
            guard !shown.isEmpty || keepsAll else { continue }
            let surplus: [HTMLNode] =
                keepsAll ? rest.map { node(of: $0, names: ["surplus"]) } : []
            nodes.append(
                HTMLNode(.div, .class(shown.isEmpty ? "audience-sends surplus" : "audience-sends"))
                {
                    HTMLNode(.p, .class("audience")) { HTMLNode(.bdi, text: group.name) }
                    HTMLNode(.ul) { shown.map { node(of: $0, names: []) } + surplus }
                }
            )
        }
        if more > 0 {
            nodes.append(HTMLNode(.p, .class("more"), text: "and \(more.grouped) more"))
        }
        return nodes
    }

    private func node(of item: Item, names: [String]) -> HTMLNode {
        let names = names.map { HTMLAttribute.class($0) }
        return .element(.li, names + item.attributes, item.content)
    }
}

import HTML
import Time

/// Renders the controls that narrow the table, the calendar and the entries.
///
/// The script shows them; without it, the page shows everything.
struct PlanPageFilter {
    let story: PlanDescription
    let timeline: PlanTimeline

    /// The number of topics and lists up to which each has a button; a search finds the rest.
    private static let maximumButtons = 40

    var node: HTMLNode? {
        guard !story.groups.isEmpty || !timeline.sendings.isEmpty else { return nil }
        return HTMLNode(
            .section,
            .id("filter"),
            .class("panel"),
            .label("Filter"),
            .withoutScriptHidden
        ) {
            HTMLNode(.div, .class("controls")) {
                HTMLNode(.label, .names("query"), text: "Search")
                HTMLNode(.input, .id("query"), .search) {}
                kinds
                HTMLNode(.button, .id("reset"), .pushed, text: "Show everything")
            }
            phones
            periods
            HTMLNode(.p, .id("found"), .status, text: "")
        }
    }

    private var kinds: [HTMLNode] {
        guard story.groups.count > 1 else { return [] }
        return [
            HTMLNode(.label, .names("kind"), text: "Change"),
            HTMLNode(.select, .id("kind")) {
                HTMLNode(.option, .value(""), text: "All changes")
                story.groups.map { group in
                    HTMLNode(
                        .option,
                        .value(group.kind.rawValue),
                        text: group.kind.title(in: story.mood)
                    )
                }
            },
        ]
    }

    /// A phone is described by its topics and the lists that it is in.
    private var phones: HTMLNode? {
        let names = Self.audiences(of: story, timeline)
        let count = names.topics.count + names.lists.count
        guard count > 1, count <= Self.maximumButtons else { return nil }
        return HTMLNode(.div, .class("controls"), .group, .label("A phone in")) {
            HTMLNode(.span, .class("quiet"), text: "A phone in")
            names.topics.map { button($0, .data("topic", $0)) }
            names.lists.map { button($0, .data("list", $0)) }
        }
    }

    private var periods: HTMLNode? {
        guard !timeline.sendings.isEmpty else { return nil }
        let periods = [
            ("Today", "today"), ("Tomorrow", "tomorrow"), ("This week", "week"),
            ("Next week", "next"),
        ]
        return HTMLNode(.div, .class("controls"), .group, .label("Sent")) {
            HTMLNode(.span, .class("quiet"), text: "Sent")
            periods.map { name, period in button(name, .data("period", period)) }
        }
    }

    private func button(_ name: String, _ data: HTMLAttribute) -> HTMLNode {
        HTMLNode(.button, .pushed, .class("choice"), .pressed(false), data) {
            HTMLNode(.bdi, text: name)
        }
    }

    private static func audiences(
        of story: PlanDescription,
        _ timeline: PlanTimeline
    ) -> (topics: [String], lists: [String]) {
        let receivers =
            story.groups.flatMap(\.entries).compactMap(\.receivers)
            + timeline.sendings.compactMap(\.receivers)
        let lists = receivers.filter { $0.topics.isEmpty }.map(\.name)
        return (
            Set(receivers.flatMap(\.topics)).sorted(), Set(lists).sorted()
        )
    }

    // MARK: - What the filter reads

    static func attributes(of entry: PlanEntry, kind: PlanGroup) -> [HTMLAttribute] {
        [.data("campaign", entry.name), .data("kind", kind.rawValue)]
            + (entry.receivers.map(attributes) ?? [])
    }

    static func attributes(of sending: PlanTimeline.Sending, count: Int = 1) -> [HTMLAttribute] {
        let date = sending.moment.wallClock?.date.description ?? ""
        return [
            .data("campaign", sending.campaign), .data("day", date), .data("count", "\(count)"),
            .data("part", sending.part ?? ""),
        ] + (sending.receivers.map(attributes) ?? [])
    }

    private static func attributes(of receivers: SendReceivers) -> [HTMLAttribute] {
        receivers.topics.isEmpty
            ? [.data("list", receivers.name)]
            : [
                // A topic's name has no space.
                .data("topics", receivers.topics.joined(separator: " ")),
                .data("reached", "\(receivers.reached)"),
            ]
    }
}

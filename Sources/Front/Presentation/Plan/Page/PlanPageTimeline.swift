import CampaignModel
import HTML
import Time

/// Renders the next days as a calendar with hours, and all due times as a table.
struct PlanPageTimeline {
    let timeline: PlanTimeline
    let story: PlanDescription
    let places: [String: SourcePlace]
    let sources: SourceLinks
    /// The positions of the entries, by campaign.
    private let numbers: [String: Int]
    private let actions: [String: String]

    /// The number of sends of a campaign on a day that are shown one by one.
    private static let single = 4

    init(
        timeline: PlanTimeline,
        story: PlanDescription,
        places: [String: SourcePlace],
        sources: SourceLinks
    ) {
        self.timeline = timeline
        self.story = story
        self.places = places
        self.sources = sources
        let entries = story.groups.flatMap { group in group.entries.map { (group.kind, $0) } }
        var numbers: [String: Int] = [:]
        var actions: [String: String] = [:]
        for (index, part) in entries.enumerated() where part.0 != .memberships {
            numbers[part.1.name] = index + 1
            actions[part.1.name] = part.1.action
        }
        self.numbers = numbers
        self.actions = actions
    }

    var node: HTMLNode? {
        guard !timeline.sendings.isEmpty, let first = story.head.now.wallClock?.date else {
            return nil
        }
        let last = CivilDate(daysSince1970: first.daysSince1970 + PlanTimeline.days)
        let grid = CalendarGrid(
            days: first...last,
            today: first,
            content: content(upTo: last),
            keepsAll: true
        )
        return HTMLNode(.section, .labelled(by: "timeline")) {
            HTMLNode(.h2, .id("timeline"), text: title)
            PlanLoad(timeline).sentence.map { HTMLNode(.p, .id("load"), text: $0) }
            grid.nodes
            if timeline.more > 0 {
                HTMLNode(
                    .p,
                    .class("quiet"),
                    text: "And \(timeline.more.grouped) more, which are not shown."
                )
            }
            table
        }
    }

    private var title: String {
        let days = "The next \(PlanTimeline.days) days"
        return switch story.mood {
        case .indicative: days
        case .conditional: days + " without the refusal"
        }
    }

    // MARK: - Calendar

    private func content(upTo last: CivilDate) -> [CivilDate: [CalendarGrid.Group]] {
        var days: [CivilDate: [PlanTimeline.Sending]] = [:]
        for sending in timeline.sendings {
            guard let date = sending.moment.wallClock?.date else { continue }
            days[min(date, last), default: []].append(sending)
        }
        return days.mapValues(groups)
    }

    private func groups(of sendings: [PlanTimeline.Sending]) -> [CalendarGrid.Group] {
        Dictionary(grouping: sendings) { $0.receivers?.name ?? "" }
            .sorted { $0.key < $1.key }
            .map { name, sendings in CalendarGrid.Group(name: name, items: items(of: sendings)) }
    }

    /// Many sends of a campaign share an item.
    private func items(of sendings: [PlanTimeline.Sending]) -> [CalendarGrid.Item] {
        let many = Dictionary(grouping: sendings, by: \.campaign)
            .filter { $1.count > Self.single }
        var shown: Set<String> = []
        return sendings.compactMap { sending in
            guard let all = many[sending.campaign] else { return item([sending]) }
            return shown.insert(sending.campaign).inserted ? item(all) : nil
        }
    }

    private func item(_ sendings: [PlanTimeline.Sending]) -> CalendarGrid.Item? {
        guard let first = sendings.first, let last = sendings.last else { return nil }
        let isOne = sendings.count == 1
        let state = first.isPlanned ? actions[first.campaign] ?? "changed" : "unchanged"
        return CalendarGrid.Item(
            content: [
                HTMLNode(
                    .span,
                    .class("stamp"),
                    text: isOne ? time(of: first) : "\(time(of: first))–\(time(of: last))"
                ),
                .text(" "), name(first.campaign), .text(" "),
                HTMLNode(
                    .span,
                    .class("state", first.isPlanned ? "state-scheduled" : "quiet"),
                    text: isOne ? state : "\(sendings.count.counting("send")), \(state)"
                ),
            ] + zone(of: first),
            attributes: PlanPageFilter.attributes(of: first, count: sendings.count)
        )
    }

    private func time(of sending: PlanTimeline.Sending) -> String {
        sending.moment.wallClock.map { String($0.time.description.prefix(5)) } ?? ""
    }

    /// The zone, if it is not the project's.
    private func zone(of sending: PlanTimeline.Sending) -> [HTMLNode] {
        guard sending.moment.zone != story.head.now.zone else { return [] }
        return [.text(" "), HTMLNode(.span, .class("quiet"), text: sending.moment.zone)]
    }

    /// The name of the campaign, which leads to its entry if it changes.
    private func name(_ campaign: String) -> HTMLNode {
        let name = HTMLNode(.bdi, text: campaign)
        return numbers[campaign].map { number in
            HTMLNode(.a, .link(toPart: "entry-\(number)")) { name }
        } ?? name
    }

    // MARK: - Table

    private var table: HTMLNode {
        HTMLNode(.details) {
            HTMLNode(.summary, text: "All due times")
            HTMLNode(.div, .class("scrolling"), .scrollable, .group, .label("All due times")) {
                HTMLNode(.table) {
                    HTMLNode(.thead) {
                        HTMLNode(.tr) {
                            ["Campaign", "Due", "From now", "Audience", "In this plan", "File"].map
                            {
                                HTMLNode(.th, .scope(.column), text: $0)
                            }
                        }
                    }
                    HTMLNode(.tbody) { timeline.sendings.map(row) }
                }
            }
        }
    }

    private func row(_ sending: PlanTimeline.Sending) -> HTMLNode {
        let place = places[sending.campaign]
        return .element(
            .tr,
            PlanPageFilter.attributes(of: sending),
            [
                HTMLNode(.th, .scope(.row)) { name(sending.campaign) },
                HTMLNode(.td) { PlanPageMoment(moment: sending.moment).absolute },
                HTMLNode(.td, text: sending.moment.distance),
                HTMLNode(.td, .ownDirection, text: sending.receivers?.name ?? ""),
                HTMLNode(.td, text: sending.isPlanned ? "● yes" : "○ unchanged"),
                HTMLNode(.td) { place.map { [sources.node($0)] } ?? [.text("–")] },
            ]
        )
    }
}

import CampaignModel

/// The changes of a plan as a table: a row per entry, in the order of the plan.
package struct PlanTable: Sendable {
    struct Row {
        let entry: PlanEntry
        let kind: PlanGroup
        /// The entry's position in the plan, from 1.
        let number: Int
        /// For example, `changed and still scheduled: the title`.
        let change: String
        let when: When
        /// For example, `40,000 devices`; nil if there is none.
        let reach: String?
        /// For example, `14, at most 1 a day`; nil if a phone gets nothing in the timeline's days.
        let load: String?
    }

    enum When: Hashable {
        case now
        case at(MomentDescription, repeats: Bool)
        case never

        /// For example, `next Friday 2037-03-20 07:30, in 3 h`.
        var wording: String {
            switch self {
            case .now: "now"
            case .at(let moment, let repeats): (repeats ? "next " : "") + moment.shortText
            case .never: "–"
            }
        }
    }

    static let columns = ["Campaign", "Change", "When", "Reach", "Messages per device"]

    let rows: [Row]

    /// `timeline`: the next days; without it, the load is not known.
    init(_ story: PlanDescription, timeline: PlanTimeline?) {
        let load = timeline.map(PlanLoad.init)
        let entries = story.groups.flatMap { group in group.entries.map { (group.kind, $0) } }
        rows = entries.enumerated().map { index, part in
            let (kind, entry) = part
            return Row(
                entry: entry,
                kind: kind,
                number: index + 1,
                change: Self.change(entry),
                when: Self.when(entry, in: kind),
                reach: entry.tableReach ?? entry.reach,
                load: kind == .memberships ? nil : load?.campaigns[entry.name]?.wording
            )
        }
    }

    private static func change(_ entry: PlanEntry) -> String {
        let action = entry.action ?? entry.headlines.first?.wording ?? ""
        let refusal = entry.refusal.map { "\($0): " } ?? ""
        var names: [String] = []
        for change in entry.changes where !names.contains(change.phrase) {
            names.append(change.phrase)
        }
        return refusal + action + (names.isEmpty ? "" : ": " + names.named(upTo: 4))
    }

    private static func when(_ entry: PlanEntry, in kind: PlanGroup) -> When {
        let timed = entry.headlines.first { $0.moment != nil }
        switch kind {
        case .memberships, .sends, .handedOver: return .now
        case .attention, .postponed, .paused, .scheduled, .changed, .removed:
            guard let timed, let moment = timed.moment else { return .never }
            return .at(moment, repeats: timed.repeats)
        }
    }
}

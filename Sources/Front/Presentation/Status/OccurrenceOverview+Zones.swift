import Applying
import CampaignModel

extension OccurrenceOverview {
    /// Puts occurrences together that are scheduled and differ only in the time zone or time of their
    /// recipients, in the order of the first ones; each group is in the order of due times.
    static func together(_ all: [OccurrenceOverview]) -> [[OccurrenceOverview]] {
        var order: [Key] = []
        var groups: [Key: [OccurrenceOverview]] = [:]
        for (place, occurrence) in all.enumerated() {
            let key = Key(occurrence, at: place)
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(occurrence)
        }
        return order.compactMap { groups[$0] }.map { group in
            group.sorted { ($0.due.instant, $0.id) < ($1.due.instant, $1.id) }
        }
    }

    private struct Key: Hashable {
        let campaign: CampaignID
        let slot: Slot
        let revision: Int
        /// Nil if others may follow.
        let place: Int?

        init(_ occurrence: OccurrenceOverview, at place: Int) {
            let id = occurrence.id
            campaign = id.campaign
            slot = id.slot.family
            revision = id.revision
            let isAlone =
                id.slot.part == nil || occurrence.unit != nil || occurrence.phase != .scheduled
                || occurrence.deferredUntil != nil
            self.place = isAlone ? place : nil
        }
    }
}

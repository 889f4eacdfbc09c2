import CampaignModel
import Planning
import Time

/// Describes the time zones or times in which the recipients of a campaign get its message.
struct ZoneWording {
    /// Follows a headline that shows the first due time: `, in 14 time zones; the last is
    /// America/New_York (2026-12-01T14:00:00Z)`.
    let suffix: String

    /// Nil if all recipients share the occurrence.
    init?(_ group: ActionGroup) {
        let names = group.zones.compactMap { $0.zone?.name }
        guard let first = names.first, let last = names.last else { return nil }
        let isTime = group.main.hasOwnTime
        guard names.count > 1 else {
            suffix = isTime ? "" : ", in the time zone \(first)"
            return
        }
        let count = names.count.counting(isTime ? "different time" : "time zone")
        let due = group.zones.last?.step.due.map { " (\($0.utcText))" } ?? ""
        suffix = ", \(isTime ? "at" : "in") \(count); the last is \(last)\(due)"
    }

    /// What decides when a recipient gets the message; empty if all get it together.
    static func sentences(on action: CampaignAction) -> [String] {
        guard action.zone != nil else { return [] }
        guard action.hasOwnTime else {
            return ["Each recipient gets it at the local time of the recipient's own time zone."]
        }
        let without = action.withoutTime
        let rows = without.counting("registration")
        let (verb, pronoun) = without == 1 ? ("has", "it") : ("have", "them")
        return ["Each recipient gets it at the time in the recipient's row."]
            + (without == 0 ? [] : ["\(rows) \(verb) no time, so nothing is sent to \(pronoun)."])
    }
}

extension CampaignAction {
    /// Whether its recipients have their own times.
    fileprivate var hasOwnTime: Bool {
        guard let division = source?.division else { return false }
        return if case .value = division { true } else { division.column != nil }
    }
}

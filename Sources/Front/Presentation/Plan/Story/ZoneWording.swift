import Planning
import Time

/// Describes the time zones in which the recipients of a campaign get its message.
struct ZoneWording {
    static let perZone =
        "Each recipient gets it at the local time of the recipient's own time zone."

    /// Follows a headline that shows the first due time: `, in 14 time zones; the last is
    /// America/New_York (2026-12-01T14:00:00Z)`.
    let suffix: String

    /// Nil if all recipients share the occurrence.
    init?(_ group: ActionGroup, clock: StoryClock) {
        let names = group.zones.compactMap { $0.zone?.name }
        guard let first = names.first, let last = names.last else { return nil }
        guard names.count > 1 else {
            suffix = ", in the time zone \(first)"
            return
        }
        let due = group.zones.last?.step.due.map { " (\($0.utcText))" } ?? ""
        suffix = ", in \(names.count.counting("time zone")); the last is \(last)\(due)"
    }
}

import Applying
import CampaignModel

extension CalendarEntry.State {
    var wording: String {
        switch self {
        case .inProgress: "in progress"
        case .sent, .stopped, .held, .paused, .deferred, .scheduled, .expired, .cancelled: rawValue
        }
    }

    /// Whether it ended without a send, or before its send was complete.
    var isDropped: Bool {
        switch self {
        case .expired, .cancelled: true
        case .sent, .inProgress, .stopped, .held, .paused, .deferred, .scheduled: false
        }
    }

    /// Whether it has ended.
    var isOver: Bool { isDropped || self == .sent }
}

extension CalendarAudience {
    /// Not escaped.
    var wording: String {
        switch kind {
        case .audience, .list: name
        case .topic: "topic \(name)"
        case .condition: "condition \(name)"
        case .group: "device group \(name)"
        case .unknown: "audience no longer recorded"
        }
    }
}

extension CalendarDescription {
    /// For example, `Calendar of production of tidewatch`.
    var title: String { "Calendar of \(scope.environment) of \(scope.project)" }

    /// The names of campaigns of which sends are missing, with the reason.
    var notes: [String] {
        let cut = Self.names(calendar.cut)
        let notStored = Self.names(calendar.notStored)
        return [
            cut.map { "Some sends of \($0) are left out. Choose a shorter period." },
            notStored.map {
                "Only the next send of \($0) is known: the state does not contain the token of a "
                    + "Live Activity, and only `herald apply` sends it."
            },
        ].compactMap(\.self)
    }

    private static func names(_ campaigns: [CampaignID]) -> String? {
        guard !campaigns.isEmpty else { return nil }
        let shown = campaigns.prefix(5).map(\.rawValue).joined(separator: ", ")
        return campaigns.count > 5 ? shown + " and \((campaigns.count - 5).grouped) more" : shown
    }

    static let nothing = "Nothing was sent or is scheduled on these days."
}

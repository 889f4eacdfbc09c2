import CampaignModel
import Planning
import State
import Time

/// An action, or the equal actions of a campaign for recipients in several time zones.
struct ActionGroup {
    /// The one that is due first.
    let main: CampaignAction
    /// All of them, by due time; empty if all recipients share the occurrence.
    let zones: [CampaignAction]

    /// The step of the action; that of the first zone stands for the others.
    var step: CampaignStep {
        let missed = zones.compactMap(\.step.missed)
        return missed.isEmpty ? main.step : .miss(.merged(missed))
    }

    /// The requests that remain in all zones; nil if the number is not known.
    var remaining: Int? {
        zones.isEmpty
            ? main.step.remaining
            : zones.compactMap(\.step.remaining).reduce(nil) { ($0 ?? 0) + $1 }
    }

    /// The fields that differ from the last recorded definition.
    var changes: [FieldChange] {
        main.changes.isEmpty ? zones.lazy.map(\.changes).first { !$0.isEmpty } ?? [] : main.changes
    }

    /// The audience with the registrations in these zones.
    var audience: PlannedAudience? {
        guard case .list(let name, _, let people)? = main.audience, !zones.isEmpty else {
            return main.audience
        }
        let counts = zones.compactMap { $0.zone?.count }
        guard counts.count == zones.count else { return main.audience }
        return .list(name: name, count: counts.reduce(0, +), people: people)
    }

    /// `actions`: not empty.
    private init(_ actions: [CampaignAction]) {
        let sorted = actions.enumerated().sorted {
            ($0.element.order, $0.offset) < ($1.element.order, $1.offset)
        }.map(\.element)
        main = sorted[0]
        zones = actions[0].zone == nil ? [] : sorted
    }

    /// Puts the actions of each campaign together that do the same in different zones for the same
    /// reason.
    ///
    /// A step that a person must decide about stays alone.
    static func groups(of actions: [CampaignAction]) -> [ActionGroup] {
        var order: [Key] = []
        var members: [Key: [CampaignAction]] = [:]
        for (place, action) in actions.enumerated() {
            let isAlone = action.zone == nil || action.step.isHeld || action.step.isStopped
            let key = Key(
                campaign: action.campaign,
                action: action.step.action,
                isRaised: action.isSentByRevision,
                place: isAlone ? place : nil
            )
            if members[key] == nil { order.append(key) }
            members[key, default: []].append(action)
        }
        return order.compactMap { members[$0].map(ActionGroup.init) }
    }

    private struct Key: Hashable {
        let campaign: CampaignID
        let action: CampaignStep.Action
        /// Whether the revision was raised after the due time.
        let isRaised: Bool
        /// Nil if actions for other zones may follow.
        let place: Int?
    }
}

extension CampaignAction {
    /// Whether the action sends or schedules a revision that was raised after the due time.
    fileprivate var isSentByRevision: Bool {
        switch step {
        case .send, .handOver, .schedule: isRaised
        default: false
        }
    }

    /// When the action is due, in the order of a group.
    fileprivate var order: Instant {
        step.due ?? step.recordedDue ?? step.missed?.first ?? .latest
    }
}

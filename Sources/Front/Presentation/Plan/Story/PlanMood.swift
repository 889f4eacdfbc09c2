/// Whether a plan says what an apply does, or what it would do if no guard refused the plan.
package enum PlanMood: Hashable, Sendable {
    case indicative
    case conditional

    /// For example, `sends`, or `would send` in a refused plan.
    func verb(_ verb: String, _ base: String) -> String {
        switch self {
        case .indicative: verb
        case .conditional: "would " + base
        }
    }
}

extension PlanGroup {
    package func title(in mood: PlanMood) -> String {
        switch (self, mood) {
        case (.memberships, _): "Topic memberships"
        case (.sends, .indicative): "Sent by this apply"
        case (.sends, .conditional): "Would be sent, but the plan is refused"
        case (.handedOver, .indicative): "Handed over to the service"
        case (.handedOver, .conditional): "Would be handed over to the service"
        case (.attention, _): "Not sent"
        case (.postponed, _): "Not sent this time, but still scheduled"
        case (.paused, _): "Paused"
        case (.scheduled, .indicative): "Scheduled"
        case (.scheduled, .conditional): "Would be scheduled"
        case (.changed, .indicative): "Changed without sending"
        case (.changed, .conditional): "Would change without sending"
        case (.removed, .indicative): "Cancelled or removed"
        case (.removed, .conditional): "Would be cancelled or removed"
        }
    }
}

extension PlanSymbol {
    /// The text for a legend.
    package func wording(in mood: PlanMood) -> String {
        switch (self, mood) {
        case (.send, .indicative): "sent now"
        case (.send, .conditional): "would be sent now"
        case (.add, .indicative): "added"
        case (.add, .conditional): "would be added"
        case (.change, .indicative): "changed"
        case (.change, .conditional): "would change"
        case (.remove, .indicative): "removed"
        case (.remove, .conditional): "would be removed"
        case (.wait, _): "paused"
        case (.attention, _): "needs attention"
        }
    }
}

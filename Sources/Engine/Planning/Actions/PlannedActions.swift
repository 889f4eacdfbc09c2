package import CampaignModel
package import Time

/// The actions of a plan, and the circumstances that decide when they run.
package struct PlannedActions: Sendable {
    /// The time of the plan.
    package let now: Instant
    /// In the order of the audiences; all leaves happen before the first join.
    package let memberships: [MembershipChange]
    /// In the order of the files, followed by removed campaigns by name.
    ///
    /// A campaign has several actions if several of its occurrences are affected.
    package let campaigns: [CampaignAction]
    /// How long sends to a topic wait after joins to it.
    package let settling: SettleDelay
    /// Known facts about topics before anything is sent.
    package let topics: [Topic: PlannedTopic]
    /// What decides how long the requests take.
    package let traffic: PlannedTraffic
    /// The order of the sends, which is needed often.
    let order = SendOrder()

    /// The quotas that the environment may use.
    package var pace: Pace { traffic.pace }

    /// Whether an apply would send, change or record anything.
    package var hasChanges: Bool {
        !memberships.isEmpty || campaigns.contains { $0.step != .unchanged && !$0.step.isWaiting }
    }

    /// The sends that an apply hands over to a service, in the order of the files.
    package var handedOver: [SendStep] { campaigns.compactMap(\.step.handedOver) }

    /// The sends that are due, in order: by due time, then by priority, then by name.
    package var sends: [SendStep] { order.sends { inOrder { $0.began } } }

    /// The sends that are due, whether this apply or a service makes them, in the same order.
    var dueSends: [SendStep] { inOrder { $0.began ?? $0.handedOver } }

    private func inOrder(_ send: (CampaignStep) -> SendStep?) -> [SendStep] {
        let due = campaigns.compactMap { action in
            send(action.step).map { (send: $0, priority: action.source?.priority ?? 0) }
        }
        let sorted = due.sorted { left, right in
            if left.send.due != right.send.due { return left.send.due < right.send.due }
            if left.priority != right.priority { return left.priority > right.priority }
            return left.send.occurrence < right.send.occurrence
        }
        return inOrder(sorted.map(\.send))
    }
}

package import CampaignModel
package import State
package import Time

/// Everything that an apply would do, with all data for doing it.
///
/// Only a planner makes plans, and it makes them completely: every plan can be applied.
package struct Plan: Sendable {
    package let project: ProjectID
    package let environment: EnvironmentID
    package let destination: PlanDestination
    package let lineage: StateLineage
    /// The serial of the state that the plan was made from.
    package let serial: StateSerial
    /// The project's time zone, as an IANA name.
    package let timeZone: String
    package let actions: PlannedActions
    package let notices: [PlanNotice]
    /// The results of the guards, in the order of their cases.
    ///
    /// `plan` shows them. An apply with a refusal does nothing.
    package let guards: [GuardOutcome]
    /// The signed approvals that an apply needs.
    package let approvals: PlannedApprovals
    /// The records that guards compare with later plans, once this plan is applied.
    package let guardRecords: [DefinitionChange]
    /// The values of `--only` and `--except`.
    package let selectors: Selectors
    /// Number of campaigns that `--only` and `--except` excluded from the plan.
    package let leftOut: Int
    /// The campaigns in the files that do not belong to the environment.
    package let elsewhere: [CampaignID]
    /// Whether the plan covers all campaigns and audiences.
    package let isWhole: Bool
    /// Whether a service sends what is due, and not an apply.
    package let handsOver: Bool
    /// The sources that were not read.
    ///
    /// `plan` names them. An apply with one of them does nothing.
    package let unread: [UnreadSource]
    /// The memberships that the files want, even if nothing needs to change.
    package let wantedMemberships: [MembershipScope: WantedMembership]
    /// The people of the lists that it was made from, if the frequency cap or quiet hours need them.
    package let people: PlannedPeople
    /// What the frequency cap probably does; a reviewer does not approve it.
    package let caps: CapForecast
    /// The part of the plan that a reviewer approves.
    package let reviewed: ReviewedPlan

    /// When quiet hours, or the pause of a rollout, let the first interrupted send resume; nil if they hold none.
    package var endOfFirstHold: Instant? {
        notices.compactMap { notice in
            if case .rollout(_, let rollout) = notice { return rollout.until?.instant }
            guard case .quietHours(_, let effect) = notice, effect.isOfRest else { return nil }
            return effect.until.instant
        }.min()
    }

    /// The sends that the plan leaves for the end of quiet hours or of a pause between stages.
    package var deferrals: [(occurrence: OccurrenceID, until: Instant)] {
        notices.compactMap { notice in
            if case .rollout(let occurrence, let rollout) = notice, let until = rollout.until {
                return (occurrence, until.instant)
            }
            guard case .quietHours(let occurrence, let effect) = notice, effect.isDeferral else {
                return nil
            }
            return (occurrence, effect.until.instant)
        }
    }

    package var digest: PlanDigest { PlanDigest(hash: reviewed.hash, serial: serial) }
}

/// The actions and the circumstances that they were planned for.
extension Plan {
    /// The time for which the plan was made.
    package var now: Instant { actions.now }
    package var memberships: [MembershipChange] { actions.memberships }
    package var campaigns: [CampaignAction] { actions.campaigns }
    package var settling: SettleDelay { actions.settling }
    package var topics: [Topic: PlannedTopic] { actions.topics }
    package var pace: Pace { actions.pace }
    package var traffic: PlannedTraffic { actions.traffic }
    /// Whether an apply would send, change or record anything.
    package var hasChanges: Bool { actions.hasChanges || approvals.changesRules }
    package var sends: [SendStep] { actions.sends }
    package var handedOver: [SendStep] { actions.handedOver }
}

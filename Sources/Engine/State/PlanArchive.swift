package import CampaignModel
package import Time

/// Keeps plans: those that were shown or carried out, and what a run takes over from its plan.
package protocol PlanArchive: Sendable {
    /// The newest plan with this digest; nil if none is kept.
    func archivedPlan(_ digest: String) async throws(StateStoreError) -> ArchivedPlan?

    /// Keeps a plan as the newest one and replaces one with the same digest; needs no lock.
    ///
    /// Plans beyond `ArchivedPlan.limit` are dropped, except those of which no run was completed.
    func keep(_ plan: ArchivedPlan) async throws(StateStoreError)

    /// Records what a plan changes about campaigns and their occurrences, in one transaction.
    func record(_ changes: [DefinitionChange], in run: RunID) async throws(StateStoreError)
}

/// A change of what the state says a campaign is, or of when it is due.
package enum DefinitionChange: Hashable, Sendable {
    /// Defines a campaign or replaces its definition.
    case define(CampaignDefinition)
    /// Removes a campaign's definition; its occurrences stay as history.
    case retire(CampaignID)
    /// Records an occurrence as scheduled, or changes its due time.
    case schedule(OccurrenceID, due: Instant)
    /// The due time passed too long ago; nothing is sent.
    case expire(OccurrenceID, due: Instant)
    /// Cancels an occurrence that is not due yet.
    case cancel(OccurrenceID)
    /// Renames a campaign with its definition, occurrences and pause. The new name must be unused.
    case rename(CampaignID, to: CampaignID)
    /// The campaign's rule produces only later slots from now on.
    case advance(CampaignID, slotsAfter: Instant)
    /// The state belongs to the FCM project with this ID.
    case pin(projectID: String)
    /// Sets the goal of a membership.
    case aim(MembershipScope, at: MembershipGoal)
}

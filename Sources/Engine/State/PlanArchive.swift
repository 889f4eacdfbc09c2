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
    /// Records an occurrence as scheduled, or moves the moment of one that is.
    case schedule(OccurrenceID, due: Instant)
    /// The moment passed too long ago; nothing is sent.
    case expire(OccurrenceID, due: Instant)
    /// Cancels an occurrence whose moment lies ahead.
    case cancel(OccurrenceID)
    /// Gives a campaign, with its definition, occurrences and pause, another name, under which
    /// there is none yet.
    case rename(CampaignID, to: CampaignID)
    /// From now on the campaign's rule makes only slots later than this.
    case advance(CampaignID, slotsAfter: Instant)
    /// The state is of the project with this id, as FCM knows it.
    case pin(projectID: String)
    /// A membership may become this, whatever it takes.
    case aim(MembershipScope, at: MembershipGoal)
}

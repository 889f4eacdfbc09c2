package import CampaignModel
package import JSON
package import Time

/// Stores plans that were shown or applied, and the changes that a run takes from its plan.
package protocol PlanArchive: Sendable {
    /// The newest plan with this digest; nil if none is stored.
    func archivedPlan(_ digest: String) async throws(StateStoreError) -> ArchivedPlan?

    /// Stores a plan as the newest one and replaces one with the same digest; needs no lock.
    ///
    /// Plans beyond `ArchivedPlan.limit` are dropped, except the plans of incomplete runs.
    func keep(_ plan: ArchivedPlan) async throws(StateStoreError)

    /// Stores the environment's settings, for runs without the files.
    func keep(environment: JSONValue) async throws(StateStoreError)

    /// Records a plan's changes to campaigns and their occurrences, in one transaction.
    func record(_ changes: [DefinitionChange], in run: RunID) async throws(StateStoreError)
}

/// A change to a campaign's recorded definition or due time.
package enum DefinitionChange: Hashable, Sendable {
    /// Defines a campaign or replaces its definition. The list of its sends is stored before.
    case define(CampaignDefinition)
    /// Removes a campaign's definition; its occurrences stay as history.
    case retire(CampaignID)
    /// Records an occurrence as scheduled, or changes its due time.
    case schedule(OccurrenceID, due: Instant)
    /// Moves the due time of a send in progress, so that its lifetime counts from the end of the
    /// quiet hours that interrupted it.
    case deferRest(OccurrenceID, until: Instant)
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
    /// The approvals that later plans need; nil if none.
    case approvals(ApprovalPolicy?)
    /// Sets the goal of a membership.
    case aim(MembershipScope, at: MembershipGoal)
}

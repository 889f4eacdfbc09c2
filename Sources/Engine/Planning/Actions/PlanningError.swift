package import CampaignModel
package import RegistrationLists
package import State

/// The reason why there is no plan.
package enum PlanningError: Error, Hashable, Sendable {
    case state(StateStoreError)
    case list(RegistrationListError)
    /// The files no longer contain these memberships' audience or its `subscribe`, and do not say
    /// what to do with the members.
    case abandonedMemberships([MembershipSummary])
    /// The recorded state of an interrupted send cannot be read.
    case unreadableOccurrence(OccurrenceID)
    /// The weights or the hold-out of an experiment differ from those of its sends.
    case changedExperiment(CampaignID, name: String)
    /// The campaign has `encrypt`, and the environment's state is not encrypted.
    case plainState(CampaignID, EnvironmentID)
    /// Quiet hours would hold the campaign in the zones of its recipients, which only the list knows
    /// that is read when the send begins.
    case quietZones(CampaignID)
    /// The campaign follows the time zones of its recipients, and its list has none in this
    /// environment or is read when the send begins.
    case noRecipientZones(CampaignID)
    /// The recipients of the campaign have too many different times.
    case tooManySlots(CampaignID, count: Int)
    /// The environment leaves sends to a service, which cannot send the campaign.
    case notHandedOver(CampaignID, HandOverObstacle)
    /// Both the old and the new name were used, and two histories cannot be merged.
    case renamedOntoHistory(CampaignID, CampaignID)
    /// A rule's time zone is missing in the system's time zone data.
    case unknownZone(CampaignID, String)
}

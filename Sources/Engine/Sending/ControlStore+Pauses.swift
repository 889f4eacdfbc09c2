package import CampaignModel
package import State

extension ControlStore {
    /// Whether a person paused everything, and with it the changes of memberships.
    package func isEverythingPaused() async throws(StateStoreError) -> Bool {
        try await pauses().contains { $0.scope == .everything }
    }

    /// Returns the pause of everything, or else of this campaign.
    package func pause(of campaign: CampaignID) async throws(StateStoreError) -> Pause? {
        try await pauses().pause(of: campaign)
    }
}

extension [Pause] {
    /// The pause of everything, or else of this campaign.
    func pause(of campaign: CampaignID) -> Pause? {
        first { $0.scope == .everything } ?? first { $0.scope == .campaign(campaign) }
    }

    /// The pause that stops an occurrence in progress.
    ///
    /// A recall goes out although its campaign was paused before it was requested; only a later pause stops it.
    func pause(of sending: ActiveOccurrence) -> Pause? {
        let campaign = sending.occurrence.campaign
        guard sending.occurrence.slot.isRecall else { return pause(of: campaign) }
        return filter { $0.since > sending.due }.pause(of: campaign)
    }
}

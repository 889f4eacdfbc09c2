package import CampaignModel
package import State

extension ControlStore {
    /// Whether a person paused everything, and with it the changes of memberships.
    package func isEverythingPaused() async throws(StateStoreError) -> Bool {
        try await pauses().contains { $0.scope == .everything }
    }

    /// Returns the pause of everything, or else of this campaign.
    package func pause(of campaign: CampaignID) async throws(StateStoreError) -> Pause? {
        let pauses = try await pauses()
        return pauses.first { $0.scope == .everything }
            ?? pauses.first { $0.scope == .campaign(campaign) }
    }
}

package import CampaignModel
package import State

extension ControlStore {
    /// Whether a person paused everything, and with it the changes of memberships.
    package func isEverythingPaused() async throws(StateStoreError) -> Bool {
        try await pauses().contains { $0.scope == .everything }
    }

    /// Whether a person paused this campaign, or everything.
    package func isPaused(_ campaign: CampaignID) async throws(StateStoreError) -> Bool {
        try await pauses().contains {
            $0.scope == .everything || $0.scope == .campaign(campaign)
        }
    }
}

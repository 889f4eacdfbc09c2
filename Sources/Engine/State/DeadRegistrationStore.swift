package import CampaignModel
package import Time

/// Records the registrations that FCM reported as unregistered.
package protocol DeadRegistrationStore: Sendable {
    /// How many there are.
    func deadCount() async throws(StateStoreError) -> Int

    /// All of them.
    func deadRegistrations() async throws(StateStoreError) -> DeadRegistrations

    /// Records registrations as dead; those that are recorded already stay as they are.
    func markDead(_ fingerprints: [Fingerprint], at moment: Instant) async throws(StateStoreError)

    /// Marks registrations as alive; returns how many of them were dead.
    func revive(_ fingerprints: [Fingerprint]) async throws(StateStoreError) -> Int
}

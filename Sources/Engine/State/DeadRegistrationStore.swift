package import CampaignModel
package import Time

/// Records the registrations that FCM reported as unregistered.
package protocol DeadRegistrationStore: Sendable {
    /// The number of dead registrations.
    func deadCount() async throws(StateStoreError) -> Int

    /// All dead registrations.
    func deadRegistrations() async throws(StateStoreError) -> DeadRegistrations

    /// The dead registrations among these; the result may contain others.
    func deadRegistrations(
        among fingerprints: [Fingerprint]
    ) async throws(StateStoreError) -> DeadRegistrations

    /// Records registrations as dead; existing records stay unchanged.
    func markDead(_ fingerprints: [Fingerprint], at moment: Instant) async throws(StateStoreError)

    /// Marks registrations as live; returns the number of those that were dead.
    func revive(_ fingerprints: [Fingerprint]) async throws(StateStoreError) -> Int
}

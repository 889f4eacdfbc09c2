package import CampaignModel
package import Time

/// Records the registrations that sends to lists skip: those that FCM reported as unregistered, and those
/// that opted out.
package protocol DeadRegistrationStore: Sendable {
    /// The number of dead registrations.
    func deadCount() async throws(StateStoreError) -> Int

    /// All dead registrations.
    func deadRegistrations() async throws(StateStoreError) -> DeadRegistrations

    /// The dead registrations among these; the result may contain others.
    func deadRegistrations(
        among fingerprints: [Fingerprint]
    ) async throws(StateStoreError) -> DeadRegistrations

    /// The registrations that opted out.
    func optedOut() async throws(StateStoreError) -> DeadRegistrations

    /// The registrations that sends to lists skip.
    func skippedRegistrations() async throws(StateStoreError) -> DeadRegistrations

    /// The registrations among these that sends to lists skip; the result may contain others.
    func skippedRegistrations(
        among fingerprints: [Fingerprint]
    ) async throws(StateStoreError) -> DeadRegistrations

    /// Records registrations as dead; existing records stay unchanged.
    func markDead(_ fingerprints: [Fingerprint], at moment: Instant) async throws(StateStoreError)

    /// Marks registrations as live; returns the number of those that were dead.
    func revive(_ fingerprints: [Fingerprint]) async throws(StateStoreError) -> Int
}

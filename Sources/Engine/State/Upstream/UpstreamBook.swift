package import CampaignModel

/// Records what messages of devices changed.
package protocol UpstreamBook: Sendable {
    /// The last message whose changes are recorded; nil if there is none.
    func upstreamPosition() async throws(StateStoreError) -> InboxPosition?

    /// Records the changes of messages in one commit.
    ///
    /// `position`: the last of the messages.
    func record(
        _ changes: [UpstreamChange],
        upTo position: InboxPosition
    ) async throws(StateStoreError)

    /// The registrations that messages subscribed, unsubscribed and opted out.
    ///
    /// `rules`: those whose members are read.
    func upstreamStanding(
        of rules: [UpstreamRuleID]
    ) async throws(StateStoreError) -> UpstreamStanding

    /// Lets sends reach registrations again; returns the number of those that had opted out.
    func optIn(_ fingerprints: [Fingerprint]) async throws(StateStoreError) -> Int

    /// The answers to a campaign in the order of their arrival.
    func upstreamAnswers(
        to campaign: CampaignID
    ) async throws(StateStoreError) -> [UpstreamAnswer]
}

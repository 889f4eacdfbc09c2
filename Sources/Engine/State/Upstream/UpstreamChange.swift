package import CampaignModel
package import Time

/// What a message of a device changes in the state.
package enum UpstreamChange: Hashable, Sendable {
    /// Every send to a list skips the registration, and it leaves all topics.
    case optOut(Fingerprint, at: Instant)
    /// The registration becomes a member of a rule, and no longer stays out of its topics.
    case subscribe(Member, to: [Topic], by: UpstreamRuleID)
    /// The registration stays out of topics, whichever audience wants it there.
    case unsubscribe(Fingerprint, from: [Topic], at: Instant)
    /// The message answers a campaign.
    case answer(UpstreamAnswer)
    /// The registrations that sent messages get a message.
    case reply(RequestedReplies)
}

/// An answer of a device to a campaign.
package struct UpstreamAnswer: Hashable, Sendable {
    package let event: UpstreamEvent
    /// The message, which answers with each event once.
    package let message: InboxPosition
    package let fingerprint: Fingerprint
    package let time: Instant

    package init(
        _ event: UpstreamEvent,
        message: InboxPosition,
        from fingerprint: Fingerprint,
        at time: Instant
    ) {
        self.event = event
        self.message = message
        self.fingerprint = fingerprint
        self.time = time
    }
}

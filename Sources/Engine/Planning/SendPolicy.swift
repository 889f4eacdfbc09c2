package import CampaignMessages
package import CampaignModel

/// The policy for a send's unknown outcomes, the share of dead registrations that its author
/// expects, and its objective.
package struct SendPolicy: Hashable, Sendable {
    package enum Repeats: Hashable, Sendable {
        case never
        /// Retries after an answer that leaves delivery unknown, such as 503.
        case answered
        /// Retries even if there was no answer.
        case always
    }

    package let repeats: Repeats
    /// Whether the first unknown outcome stops the send until a person resolves it.
    package let stopsAtUnknown: Bool
    package let acknowledgedDead: Percentage?
    /// When which share of the requests should be accepted; nil if the author sets none.
    package let objective: Objective?
    /// Whether the state keeps the list until the message expires, so that a recall needs no file.
    package let keepsList: Bool

    package init(
        repeats: Repeats,
        stopsAtUnknown: Bool,
        acknowledgedDead: Percentage? = nil,
        objective: Objective? = nil,
        keepsList: Bool = false
    ) {
        self.repeats = repeats
        self.stopsAtUnknown = stopsAtUnknown
        self.acknowledgedDead = acknowledgedDead
        self.objective = objective
        self.keepsList = keepsList
    }

    /// Applies the author's policy, or the default if the author sets none.
    ///
    /// By default, a send to a topic, condition or group stops. A single send is retried only if the
    /// repeat replaces the first message on every platform.
    package init(_ policy: SendingPolicy, for template: MessageTemplate, isFanOut: Bool) {
        let isReplaced = RepeatEffect(of: template).replacesEverywhere
        switch policy.onUnknown {
        case .stop?: (repeats, stopsAtUnknown) = (.never, true)
        case .skip?: (repeats, stopsAtUnknown) = (.never, false)
        case .retry?: (repeats, stopsAtUnknown) = (.always, isFanOut)
        case nil where isFanOut: (repeats, stopsAtUnknown) = (.never, true)
        case nil: (repeats, stopsAtUnknown) = (isReplaced ? .answered : .never, false)
        }
        acknowledgedDead = policy.acknowledgement?.dead
        objective = policy.objective
        keepsList = policy.recall != nil
    }
}

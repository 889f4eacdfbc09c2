package import CampaignMessages
package import CampaignModel

/// The policy for a send's unknown outcomes, and the share of dead registrations that its author
/// expects.
package struct SendPolicy: Hashable, Sendable {
    package enum Repeats: Hashable, Sendable {
        case never
        /// Retries if FCM answered with a server error.
        case answered
        /// Retries even if there was no answer.
        case always
    }

    package let repeats: Repeats
    /// Whether the first unknown outcome stops the send until a person resolves it.
    package let stopsAtUnknown: Bool
    package let acknowledgedDead: Percentage?

    package init(repeats: Repeats, stopsAtUnknown: Bool, acknowledgedDead: Percentage? = nil) {
        self.repeats = repeats
        self.stopsAtUnknown = stopsAtUnknown
        self.acknowledgedDead = acknowledgedDead
    }

    /// Applies the author's policy, or the default if the author sets none.
    ///
    /// By default, a fan-out stops. A displayed message to a single registration is retried after a
    /// server error, because the repeat replaces the first one. A data message is not retried.
    package init(_ policy: SendingPolicy, for template: MessageTemplate, isFanOut: Bool) {
        let isShown = MessageKinds(MessageContent(fields: template.fields)).showsSomething
        switch policy.onUnknown {
        case .stop?: (repeats, stopsAtUnknown) = (.never, true)
        case .skip?: (repeats, stopsAtUnknown) = (.never, false)
        case .retry?: (repeats, stopsAtUnknown) = (.always, isFanOut)
        case nil where isFanOut: (repeats, stopsAtUnknown) = (.never, true)
        case nil: (repeats, stopsAtUnknown) = (isShown ? .answered : .never, false)
        }
        acknowledgedDead = policy.acknowledgement?.dead
    }
}

package import CampaignMessages
package import CampaignModel

/// What is done about a sending's requests of which nobody knows whether FCM took them, and which
/// share of dead registrations its author expects.
package struct SendPolicy: Hashable, Sendable {
    package enum Repeats: Hashable, Sendable {
        case never
        /// After an answer that says nothing about delivery, such as 503.
        case answered
        /// Also if there was no answer.
        case always
    }

    package let repeats: Repeats
    /// The rest is not sent before a person has settled the first request that stays unknown.
    package let stopsAtUnknown: Bool
    package let acknowledgedDead: Percentage?

    package init(repeats: Repeats, stopsAtUnknown: Bool, acknowledgedDead: Percentage? = nil) {
        self.repeats = repeats
        self.stopsAtUnknown = stopsAtUnknown
        self.acknowledgedDead = acknowledgedDead
    }

    /// Without `on_unknown`, a send to a topic, condition or group stops. A single send is repeated
    /// only if the repeat replaces the first message on every platform.
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
    }
}

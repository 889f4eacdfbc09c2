package import CampaignMessages
package import CampaignModel

/// What is done about a sending's requests of which nobody knows whether FCM took them, and which
/// share of dead registrations its author expects.
package struct SendPolicy: Hashable, Sendable {
    package enum Repeats: Hashable, Sendable {
        case never
        /// Where FCM answered that it failed.
        case answered
        /// Also where nothing was answered.
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

    /// By itself a message to many stops; one that is shown to a single person is repeated, since
    /// it takes the place of the first; one that the app alone handles is not.
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

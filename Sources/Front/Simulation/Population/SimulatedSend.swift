package import DeliveryModel

/// One simulated occurrence of a campaign.
package struct SimulatedSend: Sendable {
    package let campaign: String
    package let due: DeliveryMoment
    package let message: EffectiveMessage
    package let audience: SimulatedAudience

    package init(
        campaign: String,
        due: DeliveryMoment,
        message: EffectiveMessage,
        audience: SimulatedAudience
    ) {
        self.campaign = campaign
        self.due = due
        self.message = message
        self.audience = audience
    }
}

package enum SimulatedAudience: Hashable, Sendable {
    case topic(TopicName)
    case condition(TopicCondition)
    /// The devices of a list or a group, addressed one by one; the same name means the same
    /// devices.
    case devices(name: String, count: Int)

    /// Whether FCM delivers the message as a fan-out and shares its rate among all running fan-outs
    /// (Firebase documentation, Throttling and quotas).
    var isFanOut: Bool {
        if case .devices = self { false } else { true }
    }
}

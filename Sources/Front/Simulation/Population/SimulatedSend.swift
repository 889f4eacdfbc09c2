package import DeliveryModel

/// One occurrence of a campaign, as it is played over a population.
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
    /// As many devices as a list or a group has, each addressed by itself; the same name means the
    /// same devices.
    case devices(name: String, count: Int)

    /// FCM carries it to its devices by itself, and shares its rate among all that run (Firebase
    /// documentation, Throttling and quotas).
    var isFanOut: Bool {
        if case .devices = self { false } else { true }
    }
}

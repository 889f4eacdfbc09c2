package import DeliveryModel

/// One simulated occurrence of a campaign.
package struct SimulatedSend: Sendable {
    package let campaign: String
    package let due: DeliveryMoment
    package let message: EffectiveMessage
    package let audience: SimulatedAudience
    package let experiment: SimulatedExperiment?

    package init(
        campaign: String,
        due: DeliveryMoment,
        message: EffectiveMessage,
        audience: SimulatedAudience,
        experiment: SimulatedExperiment? = nil
    ) {
        self.campaign = campaign
        self.due = due
        self.message = message
        self.audience = audience
        self.experiment = experiment
    }

    /// The messages of the variants, or the only message.
    var messages: [EffectiveMessage] {
        let variants = experiment?.arms.map(\.message) ?? []
        return variants.isEmpty ? [message] : variants
    }
}

/// The division of a send's recipients into the arms of an experiment.
package struct SimulatedExperiment: Sendable {
    package struct Arm: Sendable {
        package let name: String
        package let message: EffectiveMessage
        /// Number of devices.
        package let count: Int

        package init(name: String, message: EffectiveMessage, count: Int) {
            self.name = name
            self.message = message
            self.count = count
        }
    }

    /// The variants; together they have as many devices as the send's audience.
    ///
    /// Empty if the only comparison is with no message.
    package let arms: [Arm]
    /// Number of devices that get nothing; they do not belong to the send's audience.
    package let heldOut: Int

    package init(arms: [Arm], heldOut: Int) {
        self.arms = arms
        self.heldOut = heldOut
    }
}

package enum SimulatedAudience: Hashable, Sendable {
    case topic(TopicName)
    case condition(TopicCondition)
    /// The devices of a list or a group, addressed one by one; the same name means the same
    /// devices.
    ///
    /// `first`: the number of devices of the list before them.
    case devices(name: String, count: Int, first: Int = 0)

    /// Returns the audience without this number of devices of a list.
    func without(_ count: Int) -> SimulatedAudience {
        guard count > 0, case .devices(let name, let all, let first) = self else { return self }
        return .devices(name: name, count: max(0, all - count), first: first)
    }

    /// Whether FCM delivers the message as a fan-out and shares its rate among all running fan-outs
    /// (Firebase documentation, Throttling and quotas).
    var isFanOut: Bool {
        if case .devices = self { false } else { true }
    }
}

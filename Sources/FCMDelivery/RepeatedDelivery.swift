extension DeliveryModel {
    /// Delivers once more what was accepted, as FCM is reported to do for a device that has
    /// several of a condition's topics.
    ///
    /// Those who get it again: of a condition's recipients the ones with more than one of its
    /// topics, of any other target's all.
    package mutating func deliverAgain(
        _ message: EffectiveMessage,
        id: MessageID,
        for target: MessageTarget,
        at now: DeliveryMoment
    ) {
        switch target {
        case .registration(let registration):
            deliver(message, id: id, to: recipients(of: registration) ?? [], at: now)
        case .topic(let topic):
            deliver(message, id: id, to: members[topic] ?? [], at: now)
        case .condition(let condition):
            let named = recipients(of: condition).filter { index in
                condition.topics.count { memories[index].device.topics[$0] != nil } > 1
            }
            deliver(message, id: id, to: named, at: now)
        }
    }
}

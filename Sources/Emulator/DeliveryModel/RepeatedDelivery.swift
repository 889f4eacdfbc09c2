extension DeliveryBackend {
    /// Delivers an accepted message again, as FCM is reported to do for a device that has several
    /// topics of a condition.
    ///
    /// For a condition, the message is repeated to the recipients that have more than one of its
    /// topics. For other targets it is repeated to all recipients.
    package mutating func deliverAgain(
        _ message: EffectiveMessage,
        id: MessageID,
        for target: MessageTarget,
        at now: DeliveryMoment
    ) {
        advance(to: now)
        guard case .condition(let condition) = target else {
            _ = take(message, id: id, for: target, at: now)
            return
        }
        let numbers = condition.topics.compactMap { numberOfTopic[$0] }
        let named = recipients(of: condition, at: now).filter { index in
            numbers.count { memories[Int(index)].place(of: $0).isThere } > 1
        }
        begin(FanOut(of: message, id: id, for: target, to: named, at: now), at: now)
    }
}

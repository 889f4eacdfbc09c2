extension DeliveryBackend {
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
        advance(to: now)
        guard case .condition(let condition) = target else {
            _ = take(message, id: id, for: target, at: now)
            return
        }
        let numbers = condition.topics.compactMap { numberOfTopic[$0] }
        let named = recipients(of: condition, at: now).filter { index in
            numbers.count { memories[Int(index)].place(of: $0).isThere } > 1
        }
        fanOut(message, id: id, to: named, isToTopic: true, at: now)
    }
}

import CampaignModel
package import State

extension [UpstreamRule] {
    /// What a message changes: the changes of all rules that apply to it, in their order.
    ///
    /// Replies are made for many messages at once.
    package func changes(by message: InboxMessage) -> [UpstreamChange] {
        filter {
            $0.match.applies(toCategory: message.message.category, data: message.message.data)
        }.flatMap { $0.changes(by: message) }
    }
}

extension UpstreamRule {
    fileprivate func changes(by message: InboxMessage) -> [UpstreamChange] {
        let (fingerprint, time) = (message.fingerprint, message.message.arrival.time)
        var changes: [UpstreamChange] = []
        if actions.optsOut { changes.append(.optOut(fingerprint, at: time)) }
        if !actions.unsubscribe.isEmpty {
            changes.append(.unsubscribe(fingerprint, from: actions.unsubscribe, at: time))
        }
        if !actions.subscribe.isEmpty {
            let member = Member(
                fingerprint: fingerprint,
                registration: message.message.registration
            )
            changes.append(.subscribe(member, to: actions.subscribe, by: id))
        }
        if let event = actions.event {
            changes.append(
                .answer(
                    UpstreamAnswer(event, message: message.position, from: fingerprint, at: time)
                )
            )
        }
        return changes
    }
}

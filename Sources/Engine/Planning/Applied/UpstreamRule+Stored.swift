import CampaignModel
import JSON

extension UpstreamRule {
    /// The keys are those of the document.
    var stored: JSONValue {
        let pairs = match.data.sorted { $0.key < $1.key }
            .map { JSONObject.Member(key: $0.key, value: .string($0.value)) }
        var conditions: JSONObject = ["data": .object(JSONObject(pairs))]
        conditions["category"] = match.category.map(JSONValue.string)
        var stored: JSONObject = [
            "upstream": .string(id.rawValue),
            "match": .object(conditions),
            "opt_out": .bool(actions.optsOut),
            "subscribe": .array(actions.subscribe.map { .string($0.name) }),
            "unsubscribe": .array(actions.unsubscribe.map { .string($0.name) }),
        ]
        stored["event"] = actions.event.map { .string($0.name) }
        stored["campaign"] = actions.event.map { .string($0.campaign.rawValue) }
        stored["append"] = actions.append.map { .string($0.name) }
        stored["reply"] = actions.reply.map { .object($0.fields) }
        return .object(stored)
    }

    /// Nil if it is unreadable.
    init?(stored: JSONValue) {
        guard let id = stored["upstream"]?.stringValue.flatMap({ UpstreamRuleID($0) }),
            let members = stored["match"]?["data"]?.objectValue?.members,
            let optsOut = stored["opt_out"]?.boolValue,
            let subscribe = [Topic](stored: stored["subscribe"]),
            let unsubscribe = [Topic](stored: stored["unsubscribe"])
        else { return nil }
        var data: [String: String] = [:]
        for member in members { data[member.key] = member.value.stringValue }
        let campaign = stored["campaign"]?.stringValue.flatMap { CampaignID($0) }
        let event = stored["event"]?.stringValue.flatMap { name in
            campaign.map { UpstreamEvent(name: name, campaign: $0) }
        }
        self.init(
            id: id,
            about: nil,
            match: UpstreamMatch(
                category: stored["match"]?["category"]?.stringValue,
                data: data
            ),
            actions: UpstreamActions(
                subscribe: subscribe,
                unsubscribe: unsubscribe,
                optsOut: optsOut,
                event: event,
                append: stored["append"]?.stringValue.flatMap { UpstreamFile($0) },
                reply: stored["reply"]?.objectValue.map(MessageContent.init(fields:))
            )
        )
    }
}

extension [Topic] {
    fileprivate init?(stored: JSONValue?) {
        guard let names = stored?.arrayValue else { return nil }
        let topics = names.compactMap { $0.stringValue.flatMap { Topic($0) } }
        guard topics.count == names.count else { return nil }
        self = topics
    }
}

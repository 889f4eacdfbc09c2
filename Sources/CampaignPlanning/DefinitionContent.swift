import CampaignMessages
import CampaignModel
import FCMWire

extension Campaign {
    /// Everything that decides what the campaign sends, to whom and when.
    ///
    /// Who owns it and what it is about are not in it: changing them changes nothing that anybody
    /// receives.
    func definitionContent(_ template: MessageTemplate) -> JSONValue {
        .object([
            "audience": audienceContent,
            "message": .object(template.preview.message),
            "schedule": scheduleContent,
        ])
    }

    private var audienceContent: JSONValue {
        if let audience { return .object(["audience": .string(audience.rawValue)]) }
        return switch target {
        case .topic(let topic): .object(["topic": .string(topic.name)])
        case .condition(let condition): .object(["condition": .string(condition.onWire)])
        case .registrations(.file(let path)): .object(["registrations": .string(path)])
        case .registrations(.inline): .object(["registrations": "inline"])
        case .registrations(.described(let file)): .object(["registrations": .string(file.path)])
        case .group(let name): .object(["group": .string(name.text)])
        }
    }

    private var scheduleContent: JSONValue {
        switch schedule {
        case .immediate: "at the next apply"
        case .at(let moment): .string("\(moment.local) \(moment.zone)")
        case .repeating(let rule): .string("\(rule.text) \(rule.zone)")
        }
    }
}

extension FieldChange {
    /// The leaves in which two values differ, by path.
    static func changes(
        from before: JSONValue?,
        to after: JSONValue?,
        path: String = ""
    ) -> [FieldChange] {
        guard before != after else { return [] }
        guard case .object(let old)? = before, case .object(let new)? = after else {
            return [FieldChange(path: path, before: before, after: after)]
        }
        let added = new.members.map(\.key).filter { old[$0] == nil }
        return (old.members.map(\.key) + added).sorted().flatMap { key in
            changes(
                from: old[key],
                to: new[key],
                path: path.isEmpty ? key : path + "." + key
            )
        }
    }
}

import CampaignModel
import JSON
import State

extension UnitTarget {
    static let shape = JSONShape<UnitTarget>(
        "Target of the sends: a topic, a condition, a device group or a list.",
        [
            .optional("topic", .text, about: "Topic.") {
                if case .topic(let topic) = $0 { topic.name } else { nil }
            },
            .optional("condition", .text, about: "Condition over topics.") {
                if case .condition(let text) = $0 { text } else { nil }
            },
            .optional("group", .text, about: "Device group.") {
                if case .group(let name) = $0 { name.text } else { nil }
            },
            .optional("list", .text, about: "Content hash of the list.") {
                if case .registrations(let list) = $0 { list.text } else { nil }
            },
        ]
    )

    var json: JSONValue { .object(Self.shape.json(of: self)) }
}

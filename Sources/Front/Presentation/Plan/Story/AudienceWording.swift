import CampaignModel
import Planning
import RegistrationLists

/// Describes a campaign's audience.
struct AudienceWording {
    private let audience: PlannedAudience
    private let source: Campaign?
    private let reach: ReachWording
    private let condition: Condition?
    private let composition: ListComposition?

    /// `action`: the action for the audience's campaign.
    init(_ audience: PlannedAudience, of action: CampaignAction, reach: ReachWording) {
        self.audience = audience
        source = action.source
        composition = action.composition
        self.reach = reach
        if case .condition(let text) = audience {
            condition = try? Condition(parsing: text)
        } else {
            condition = nil
        }
    }

    /// For a headline: `topic tides`, `3 registrations of beta-anglers`.
    var short: String {
        switch audience {
        case .topic(let topic, _): "topic \(topic)"
        case .condition(let text):
            condition.map { ConditionWording($0).text } ?? "condition \(text)"
        case .group(let name): "device group \(name.text)"
        case .list(let name, let count, _):
            (count.map { $0.counting("registration") } ?? "the registrations")
                + (name.map { " of \($0)" } ?? " listed in the campaign")
                + (source?.excluded ?? []).exclusionWording
        }
    }

    /// The known facts about the audience and their sources.
    var sentences: [String] {
        switch audience {
        case .topic(let topic, _): reach.sentences(about: topic)
        case .condition(let text):
            ["Condition \(text)."] + (condition.map(reach.sentences) ?? [])
        case .group: ["All devices of one person. FCM does not report how many."]
        case .list(let name, let count, let people):
            composition.map { SetWording($0).sentences }
                ?? peopleWording(people, count: count) + listWording(name)
        }
    }

    /// The reach for a summary; nil if `short` contains it, or if FCM does not report it.
    var brief: String? {
        switch audience {
        case .topic(let topic, _): reach.brief(topic)
        case .condition: condition.map(reach.brief)
        case .list(_, _, let people): people.map { $0.counting("person", plural: "people") }
        case .group: nil
        }
    }

    /// The maximum number of app instances that one request reaches; nil if unknown.
    var fanOut: Int? {
        switch audience {
        case .topic(let topic, _): reach.size(of: topic)
        case .condition:
            condition.flatMap(reach.upperBound)
        case .group, .list: nil
        }
    }

    /// For example "8,412 people, 11,020 devices."; empty if the list does not identify people.
    private func peopleWording(_ people: Int?, count: Int?) -> [String] {
        guard let people, let count else { return [] }
        return [
            "\(people.counting("person", plural: "people")), \(count.counting("device"))."
        ]
    }

    private func listWording(_ name: String?) -> [String] {
        guard case .registrations(let list)? = source?.target, let path = list.path, path != name
        else { return [] }
        return ["The list is \(path)."]
    }
}

/// Describes how the registrations of a list are divided among the texts of a campaign.
enum LocaleWording {
    /// For example, `Locales: 1,204 own text, 310 pt, 12 de.`; empty without `locales`.
    static func sentences(on action: CampaignAction) -> [String] {
        let counts = action.texts.filter { $0.locale != nil || $0.count > 0 }.map { text in
            "\(text.count.grouped) \(text.locale?.tag ?? "own text")"
        }
        return counts.isEmpty ? [] : ["Locales: \(counts.joined(separator: ", "))."]
    }
}

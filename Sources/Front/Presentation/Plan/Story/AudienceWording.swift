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
        case .listAtSend(let name):
            "the registrations" + (name.map { " of \($0)" } ?? "")
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
        case .listAtSend(let name):
            ["Known only when sent: Herald reads and checks the list when the send begins."]
                + listWording(name)
        }
    }

    /// The reach for a summary; nil if `short` contains it, or if FCM does not report it.
    var brief: String? {
        switch audience {
        case .topic(let topic, _): reach.brief(topic)
        case .condition: condition.map(reach.brief)
        case .list(_, _, let people): people.map { $0.counting("person", plural: "people") }
        case .listAtSend: Self.atSend
        case .group: nil
        }
    }

    /// The reach for a table, which does not show `short`.
    var tableReach: String? {
        switch audience {
        case .list(_, let count, let people):
            people.map { $0.counting("person", plural: "people") }
                ?? count.map { $0.counting("device") }
        case .group: "one person's devices"
        case .topic, .condition, .listAtSend: brief
        }
    }

    /// The maximum number of app instances that one request reaches; nil if unknown.
    var fanOut: Int? {
        switch audience {
        case .topic(let topic, _): reach.size(of: topic)
        case .condition:
            condition.flatMap(reach.upperBound)
        case .group, .list, .listAtSend: nil
        }
    }

    /// Stands for the number of registrations of a list that is read when its send begins.
    static let atSend = "known only when sent"

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
enum TextWording {
    /// For example, `Texts by locale: 310 registrations get pt and 12 get de.`; empty if all get the
    /// same message.
    static func sentences(on action: CampaignAction) -> [String] {
        locales(of: action) + arms(action.texts)
    }

    /// Describes how the registrations of a list are divided among the arms of an experiment.
    static func arms(_ texts: [PlannedText]) -> [String] { variants(texts) + heldOut(texts) }

    private static func variants(_ all: [PlannedText]) -> [String] {
        let texts = all.filter(\.key.isVariant)
        guard !texts.isEmpty else { return [] }
        let counts = texts.enumerated().map { place, text in
            let noun = place == 0 ? text.count.counting("registration") : text.count.grouped
            return "\(noun) \(verb(text.count)) \(text.key.stored)"
        }
        return ["Variants: \(counts.joined(by: "and"))."]
    }

    private static func heldOut(_ texts: [PlannedText]) -> [String] {
        guard let text = texts.first(where: { $0.key == .heldOut }) else { return [] }
        let isOne = text.count == 1
        return [
            "\(text.count.counting("registration")) \(isOne ? "is" : "are") held out and "
                + "\(isOne ? "receives" : "receive") nothing, for comparison."
        ]
    }

    /// Registrations that no key of `locales` covers get the campaign's own text.
    private static func locales(of action: CampaignAction) -> [String] {
        let texts = action.texts.compactMap { text in text.locale.map { ($0, text.count) } }
        let own = action.texts.first { $0.key == .own }?.count ?? 0
        let counts = texts.enumerated().map { place, text in
            let noun = place == 0 ? text.1.counting("registration") : text.1.grouped
            return "\(noun) \(verb(text.1)) \(text.0.tag)"
        }
        guard !counts.isEmpty else { return [] }
        let covered = "Texts by locale: \(counts.joined(by: "and"))."
        guard own > 0 else { return [covered] }
        return [
            covered,
            "\(own.counting("registration")) \(verb(own)) the campaign's own text, because locales has "
                + "no entry for \(own == 1 ? "its" : "their") locale.",
        ]
    }

    private static func verb(_ count: Int) -> String { count == 1 ? "gets" : "get" }
}

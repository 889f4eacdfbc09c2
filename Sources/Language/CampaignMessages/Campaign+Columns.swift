package import CampaignModel
import JSON

extension Project {
    /// Returns the columns that a campaign's message uses; nil if it uses none, or if its audience
    /// has no columns.
    ///
    /// Texts that are not valid templates have no columns.
    package func columns(of campaign: Campaign) -> MessageColumns? {
        guard case .registrations = campaign.target else { return nil }
        var names: [String] = []
        JSONValue.object(campaign.content.fields).forEachTemplate { template in
            for name in template.columns where !names.contains(name) { names.append(name) }
        }
        guard !names.isEmpty else { return nil }
        let audience = audiences.first { $0.id == campaign.audience }
        let declared = audience?.columns ?? [:]
        let lowering = DeliveryLowering(campaign)
        return MessageColumns(
            names: names,
            defaults: declared.filter { names.contains($0.key) }.compactMapValues(\.standard),
            sizes: Platform.allCases.map { platform in
                let message = EffectiveMessage(lowering, on: platform)
                return MessageColumns.Size(message, platform: platform, names: names)
            }
        )
    }
}

extension MessageColumns.Size {
    fileprivate init(_ message: EffectiveMessage, platform: Platform, names: [String]) {
        var literals = PayloadSize(of: message).bytes
        var uses = names.map { _ in 0 }
        for field in PayloadSize.content(of: message) {
            field.value.forEachTemplate { template in
                literals -= template.placeholderBytes
                for case .column(let name) in template.parts {
                    if let index = names.firstIndex(of: name) { uses[index] += 1 }
                }
            }
        }
        self.init(platform: platform, literals: literals, uses: uses)
    }
}

extension JSONValue {
    /// Visits the texts that contain `{{` and are valid templates.
    fileprivate func forEachTemplate(_ visit: (TextTemplate) -> Void) {
        switch self {
        case .null, .bool, .integer, .number: return
        case .string(let text):
            guard text.contains("{{"), let template = try? TextTemplate(parsing: text) else {
                return
            }
            visit(template)
        case .array(let elements): for element in elements { element.forEachTemplate(visit) }
        case .object(let object):
            for member in object.members { member.value.forEachTemplate(visit) }
        }
    }
}

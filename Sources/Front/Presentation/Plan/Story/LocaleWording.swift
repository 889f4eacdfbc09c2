import CampaignModel
import Planning

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

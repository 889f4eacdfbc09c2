import CampaignModel

/// Describes an entry in a few words: its further actions, its reach, the displayed text, and the
/// changed fields.
struct BriefWording {
    /// The maximum number of changed fields to name.
    private static let maximumNames = 4
    /// The maximum length of a displayed text, in Unicode scalars.
    private static let maximumLength = 80

    let entry: PlanEntry

    /// The known parts, most important first.
    var parts: [String] { further + [entry.reach, shown, changed].compactMap(\.self) }

    /// The actions after the first that a reader must not miss.
    private var further: [String] {
        entry.headlines.dropFirst().filter { headline in
            entry.message == nil || headline.symbol == .remove || headline.symbol == .attention
        }.map(\.text)
    }

    /// The text that devices display, by platform if it differs.
    private var shown: String? {
        guard let message = entry.message else { return nil }
        let getting = message.platforms.filter(\.getsSomething)
        let showing = getting.filter(\.showsSomething)
        var texts: [(text: String, platforms: [Platform])] = []
        for platform in showing {
            let text = Self.text(of: platform)
            if let place = texts.firstIndex(where: { $0.text == text }) {
                texts[place].platforms.append(platform.platform)
            } else {
                texts.append((text, [platform.platform]))
            }
        }
        guard let first = texts.first else { return "displays nothing" }
        guard texts.count > 1 || showing.count < getting.count else { return first.text }
        return texts.map { "\($0.text) on \($0.platforms.names)" }.joined(separator: ", ")
    }

    private static func text(of platform: PlatformDescription) -> String {
        guard let text = platform.title ?? platform.body else {
            return "a notification without text"
        }
        let scalars = text.unicodeScalars
        guard scalars.count > maximumLength else { return "“\(text)”" }
        return "“\(String(scalars.prefix(maximumLength)))…”"
    }

    /// For example, `changes the schedule, the title and data.screen`.
    private var changed: String? {
        let decisive = entry.changes.filter { Self.decisive.contains($0.name) }
        let others = entry.changes.filter { !Self.decisive.contains($0.name) }
        var phrases: [String] = []
        for change in decisive + others where !phrases.contains(change.phrase) {
            phrases.append(change.phrase)
        }
        guard !phrases.isEmpty else { return nil }
        return "changes " + phrases.named(upTo: Self.maximumNames)
    }

    /// The changes to name first: to which devices a message goes, and when.
    private static let decisive: Set<String> = ["audience", "list", "schedule", "revision"]
}

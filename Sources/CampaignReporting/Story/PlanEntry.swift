package import CampaignModel

/// What happens to one campaign, or to one audience in one topic.
package struct PlanEntry: Hashable, Sendable {
    /// One thing that happens; a campaign with a rule may have several.
    package struct Headline: Hashable, Sendable {
        package let symbol: PlanSymbol
        /// Goes on after the name: `is scheduled, to topic tides`.
        package let words: String
        /// When it happens, or was to happen; nil where it is now or has no moment.
        package let moment: MomentStory?
        /// When it was to happen, where that is changed.
        package let former: MomentStory?
        /// Whether its words name things as somebody else called them.
        package var quotes = false
    }

    /// The campaign's or the audience's.
    package let name: String
    package let about: String?
    /// At least one.
    package let headlines: [Headline]
    /// Whom it reaches, in sentences: the addressed, the condition in words, numbers and where they
    /// come from.
    package let who: [String]
    /// What is sent; nil where nothing is.
    package let message: MessageStory?
    /// What differs from what was applied last.
    package let changes: [ChangeStory]
    /// The rule by which it repeats.
    package let rule: RuleStory?
    /// Requests, how long they take, fan-out: in sentences.
    package let how: [String]
    /// How many requests an apply makes for it.
    package let requests: Int
    package let notices: [String]

    /// The moments of its rule that no headline names.
    package var laterMoments: [MomentStory] {
        let told = Set(headlines.compactMap(\.moment?.instant))
        return rule?.next.filter { !told.contains($0.instant) } ?? []
    }

    /// Of the first headline.
    package var symbol: PlanSymbol { headlines.first?.symbol ?? .change }
}

/// What is sent, on every platform.
package struct MessageStory: Hashable, Sendable {
    /// All three, in the order of `Platform`.
    package let platforms: [PlatformStory]
    /// Nil if Herald adds no key, or if a repeat replaces nothing.
    package let replacement: ReplacementStory?
}

/// What a repeat of a message replaces.
package struct ReplacementStory: Hashable, Sendable {
    /// The occurrence's de-duplication key.
    package let key: String
    /// ` on Apple only`; empty if the repeat replaces the first message on every platform that it has
    /// content for.
    package let place: String
}

/// What one platform gets and does with it.
package struct PlatformStory: Hashable, Sendable {
    package struct Field: Hashable, Sendable {
        /// Its place in the message that the platform gets, such as `data.screen`.
        package let path: String
        /// A text as it is, anything else as JSON.
        package let value: String
    }

    package let platform: Platform
    /// What it is there: `notification`, `data`, `notification and data`, `nothing`.
    package let kind: String
    package let getsSomething: Bool
    /// Whether the system or FCM's SDK shows it.
    package let showsSomething: Bool
    /// What is shown, where something is; the platform's own text where it has one.
    package let title: String?
    package let body: String?
    package let image: String?
    /// Everything else that the author wrote, without what `life`, `priority` and `replaces` say.
    package let fields: [Field]
    /// `kept up to 4 weeks`.
    package let life: String
    /// `high priority`, `default priority`.
    package let priority: String
    /// `replaces an older "spring-tide"`; nil where it replaces nothing but its own repeat.
    package let replaces: String?
}

extension Platform {
    /// As people write it.
    package var displayName: String {
        switch self {
        case .android: "Android"
        case .apple: "Apple"
        case .web: "web"
        }
    }
}

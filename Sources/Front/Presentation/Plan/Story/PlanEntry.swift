package import CampaignModel

/// The changes to one campaign, or to one audience in one topic.
package struct PlanEntry: Hashable, Sendable {
    /// One action.
    ///
    /// A campaign with a recurring schedule may have several.
    package struct Headline: Hashable, Sendable {
        package let symbol: PlanSymbol
        /// Continues the name: `is scheduled, to topic tides`.
        package let wording: String
        /// The due time; nil if the action is immediate or has no time.
        package let moment: MomentDescription?
        /// The previous due time, if it changes.
        package let former: MomentDescription?
        /// Whether the text contains names from the files.
        package var quotes = false
        /// Whether later due times follow.
        package var repeats = false
    }

    /// The name of the campaign or audience.
    package let name: String
    package let about: String?
    /// Never empty.
    package let headlines: [Headline]
    /// Sentences about the audience: target, condition in prose, numbers and their sources.
    package let who: [String]
    /// The message; nil if none is sent.
    package let message: MessageDescription?
    /// The differences from the last apply.
    package let changes: [ChangeDescription]
    /// The recurring schedule.
    package let rule: RuleDescription?
    /// Sentences about requests, their duration, and the fan-out.
    package let how: [String]
    /// The number of requests that an apply makes for this entry.
    package let requests: Int
    package let notices: [String]
    /// The reach in a few words, such as `at most 16,000 devices`; nil if `headlines` contain it.
    package var reach: String? = nil
    /// Nil if every recipient gets the same text.
    package var personal: PersonalDescription? = nil
    /// How late the scheduled send may be; nil if none is scheduled.
    package var lateness: String? = nil
    /// Sentences about what follows, and about what a user can do.
    package var next: [String] = []
    /// The guards that refuse the plan because of this entry.
    package var refusedBy: [String] = []
    /// What the plan does, in a few words, such as `changed and still scheduled`; nil if the first
    /// headline says it.
    package var action: String? = nil
    /// The reach for a table, which has no headline; nil if `reach` is it.
    package var tableReach: String? = nil
    /// The phones that the entry is about; nil if the campaign is not in the files.
    package var receivers: SendReceivers? = nil
    /// Where the files declare the campaign or audience; nil if they do not.
    package var place: SourcePlace? = nil

    /// For example, `refused by guard max-recipients`; nil if no guard refuses it.
    package var refusal: String? {
        refusedBy.isEmpty ? nil : "refused by guard \(refusedBy.joined(by: "and"))"
    }

    /// The rule's due times that no headline shows.
    package var laterMoments: [MomentDescription] {
        let told = Set(headlines.compactMap(\.moment?.instant))
        return rule?.next.filter { !told.contains($0.instant) } ?? []
    }

    /// The symbol of the first headline.
    package var symbol: PlanSymbol { headlines.first?.symbol ?? .change }
}

/// A message on every platform.
package struct MessageDescription: Hashable, Sendable {
    /// All three platforms, in the order of `Platform`.
    package let platforms: [PlatformDescription]
    /// The texts of `locales` or of variants; `platforms` is the campaign's own text.
    package var others: [OtherDescription] = []
    /// The number of registrations that get the campaign's own text; nil without other texts, or if it
    /// is unknown.
    package var ownCount: Int? = nil
    /// Whether anyone may get the campaign's own text: with variants, everyone gets one of them.
    package var isOwnSent = true
    /// Nil if Herald adds no key, or if a repeat replaces nothing.
    package let replacement: ReplacementDescription?
    /// Says what a raised revision replaces; nil if the campaign was not sent before.
    package var renewal: String? = nil
}

/// A message of a key of `locales`, or of a variant.
package struct OtherDescription: Hashable, Sendable {
    /// For example, `pt-BR` or `variant B`.
    package let name: String
    /// The number of registrations that get the text; nil if unknown.
    package let count: Int?
    /// All three platforms, in the order of `Platform`.
    package let platforms: [PlatformDescription]
}

/// What a repeat of a message replaces.
package struct ReplacementDescription: Hashable, Sendable {
    /// The occurrence's de-duplication key.
    package let key: String
    /// ` on Apple only`; empty if the repeat replaces the first message on every platform that it
    /// has content for.
    package let place: String

    /// For example, `If FCM delivers it twice by accident, the second copy replaces the first`.
    package var wording: String {
        "If FCM delivers it twice by accident, the second copy replaces the first\(place)"
    }
}

/// A message on one platform.
package struct PlatformDescription: Hashable, Sendable {
    package struct Field: Hashable, Sendable {
        /// The path in the platform's message, such as `data.screen`.
        package let path: String
        /// A string unchanged, any other value as JSON.
        package let value: String
    }

    package let platform: Platform
    /// The kind of message: `notification`, `data`, `notification and data`, `live activity`,
    /// `nothing`.
    package let kind: String
    package let getsSomething: Bool
    /// Whether the system or the FCM SDK displays the message.
    package let showsSomething: Bool
    /// The displayed title, if any.
    ///
    /// A platform's own text takes precedence.
    package let title: String?
    package let body: String?
    package let image: String?
    /// All other fields from the author, except those that `life`, `priority` and `replaces` cover.
    package let fields: [Field]
    /// For example, `kept up to 4 weeks`.
    package let life: String
    /// For example, `high priority`, `default priority`.
    package let priority: String
    /// For example, `replaces an older "spring-tide"`; nil if it replaces only its own repetition.
    package let replaces: String?
}

extension Platform {
    /// The display name.
    package var displayName: String {
        switch self {
        case .android: "Android"
        case .apple: "Apple"
        case .web: "web"
        }
    }
}

package import CampaignModel

/// A value that differs from the last apply.
package struct ChangeDescription: Hashable, Sendable {
    /// The display name, such as `title`, `data.screen`, `audience`, `schedule`.
    package let name: String
    /// The platforms whose effective message changes; empty for changes outside of the message.
    package let platforms: [Platform]
    /// Nil if the value was absent.
    package let before: String?
    /// Nil if the value is absent now.
    package let after: String?
    /// A word diff of both values.
    ///
    /// Long unchanged parts are elided.
    package let segments: [TextSegment]

    /// The name in a sentence, such as `the title`, `how long FCM keeps it`, `data.screen`.
    package var phrase: String {
        switch name {
        case "audience", "list", "schedule", "revision", "title", "body", "image", "priority",
            "collapse key":
            "the " + name
        case "kind": "the kind of message"
        case "late": "what happens if it is late"
        case "expires": "when it expires"
        default: name
        }
    }
}

/// A part of a text comparison.
package struct TextSegment: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case same
        case removed
        case added
        /// An omitted long part.
        ///
        /// The text describes it: `9,120 characters the same`.
        case elided
    }

    package let kind: Kind
    package let text: String
}

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

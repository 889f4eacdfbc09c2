package import CampaignModel

/// A value that is not what was applied last.
package struct ChangeStory: Hashable, Sendable {
    /// `title`, `data.screen`, `audience`, `schedule`: as people call it.
    package let name: String
    /// The platforms whose effective message has the change; empty for what is no part of it.
    package let platforms: [Platform]
    /// Nil where it was absent.
    package let before: String?
    /// Nil where it is absent now.
    package let after: String?
    /// Both in one, word by word; what is long and the same is elided.
    package let segments: [TextSegment]
}

/// A stretch of two texts laid over each other.
package struct TextSegment: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case same
        case removed
        case added
        /// Left out for its length: the text says what, as in `9,120 characters the same`.
        case elided
    }

    package let kind: Kind
    package let text: String
}

package import Planning

/// A plan as every view tells it: words and numbers in their order, no markup.
///
/// Texts are as they were written, payloads among them: each view makes them safe for its medium.
package struct PlanStory: Hashable, Sendable {
    package struct Head: Hashable, Sendable {
        package let project: String
        package let environment: String
        /// The moment for which the plan was made, in the project's zone.
        package let now: MomentStory
        /// Whether an apply would send, change or record anything.
        package let hasChanges: Bool
    }

    /// Entries of one consequence.
    package struct Group: Hashable, Sendable {
        package let kind: PlanGroup
        package let entries: [PlanEntry]
    }

    package let head: Head
    /// Those that have entries, in the order of `PlanGroup`.
    package let groups: [Group]
    /// What should be known of things that have no entry.
    package let notices: [NoticeStory]
    /// Every guard that had something to say, what stops an apply first.
    package let guards: [GuardStory]
    /// How many campaigns are as applied; they have no entry.
    package let unchanged: Int
    /// How many campaigns `--only` and `--except` left out.
    package var leftOut = 0
    /// What `--only` and `--except` were given: commands that ask for this plan name it too.
    package var selectors = Selectors()
    /// Everything counted, in one sentence.
    package let summary: String
    /// `HASH@SERIAL`, by which `apply --expect` knows the plan again; nil where it has none.
    package let digest: String?

    /// The symbols that the entries use, in the order of `PlanSymbol`.
    package var symbols: [PlanSymbol] {
        let used = Set(groups.flatMap(\.entries).flatMap(\.headlines).map(\.symbol))
        return PlanSymbol.allCases.filter(used.contains)
    }
}

/// What becomes of things, the weightiest first.
package enum PlanGroup: String, Hashable, Sendable, CaseIterable {
    case memberships
    /// By this apply, and never to be taken back.
    case sends
    /// Nothing is sent although something was meant to be, or a person has to look.
    case attention
    case scheduled
    /// Recorded; nothing is sent for it.
    case changed
    case removed

    package var title: String {
        switch self {
        case .memberships: "Topic memberships"
        case .sends: "Sent by this apply"
        case .attention: "Not sent"
        case .scheduled: "Scheduled"
        case .changed: "Changed without sending"
        case .removed: "Cancelled or removed"
        }
    }
}

/// What stands before a headline; its words say the same, so that no colour is needed.
package enum PlanSymbol: String, Hashable, Sendable, CaseIterable {
    case send = ">"
    case add = "+"
    case change = "~"
    case remove = "-"
    case wait = "="
    case attention = "!"

    /// As in a legend.
    package var words: String {
        switch self {
        case .send: "sent now"
        case .add: "added"
        case .change: "changed"
        case .remove: "removed"
        case .wait: "paused"
        case .attention: "needs attention"
        }
    }
}

/// Something that a reviewer should know.
package struct NoticeStory: Hashable, Sendable {
    /// The campaign or audience that it is about.
    package let subject: String
    package let words: String
}

/// What a guard says of the plan.
package struct GuardStory: Hashable, Sendable {
    package enum Outcome: String, Hashable, Sendable {
        /// It would have refused; the files say that this is meant.
        case acknowledged
        /// Apply exits with 6.
        case refused
        /// A `--dangerous-…` option was given.
        case bypassed
    }

    /// As in `max-recipients`.
    package let name: String
    /// The campaign, audience or environment that it is about.
    package let subject: String?
    package let outcome: Outcome
    /// What it has to say and, where it refuses, the ways out.
    package let words: String
}

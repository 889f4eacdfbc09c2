package import Planning

/// The content of a plan for every view: texts and numbers in order, without markup.
///
/// Texts, including payloads, are raw. Each view escapes them for its medium.
package struct PlanDescription: Hashable, Sendable {
    package struct Head: Hashable, Sendable {
        package let project: String
        package let environment: String
        package let destination: DestinationWording
        /// The time for which the plan was made, in the project's zone.
        package let now: MomentDescription
        /// Whether an apply would send, change or record something, and would not refuse the plan.
        package let isApplicable: Bool
    }

    /// Entries of the same kind.
    package struct Group: Hashable, Sendable {
        package let kind: PlanGroup
        package var entries: [PlanEntry]
        /// The number of membership changes, such as `60 changes in 2 topics`; nil for campaigns.
        package var changes: String? = nil

        /// The size for the heading, such as `3 campaigns`.
        package var count: String { changes ?? entries.count.counting("campaign") }
    }

    package let head: Head
    /// The nonempty groups, in the order of `PlanGroup`.
    package let groups: [Group]
    /// Notices about things without an entry.
    package let notices: [NoticeDescription]
    /// The notable guard outcomes, refusals first.
    package let guards: [GuardDescription]
    /// The number of unchanged campaigns, which have no entry.
    package let unchanged: Int
    /// The number of campaigns excluded by `--only` and `--except`.
    package var leftOut = 0
    /// The values of `--only` and `--except`.
    ///
    /// Suggested commands repeat them.
    package var selectors = Selectors()
    /// All counts in a few sentences.
    package let summary: String
    /// How scheduled messages are sent; nil if the plan schedules none.
    package var schedulingRemark: String? = nil
    /// What the delivery settings mean; nil if the plan shows no message.
    package var keepingRemark: String? = nil
    /// The consents to repeat in the command that applies this plan, such as `--allow-sources`.
    package var consents: [String] = []
    /// States that the plan was made without the state; nil if it was made from the state.
    package var stateRemark: String? = nil
    /// `HASH@SERIAL`, the argument of `apply --expect`; nil if the plan has none.
    package let digest: String?

    /// Conditional if a guard refuses the plan.
    package var mood: PlanMood {
        guards.contains { $0.outcome == .refused } ? .conditional : .indicative
    }

    /// States that an apply does nothing, with the guards that refuse the plan; nil if none does.
    package var refusal: String? {
        var names: [String] = []
        for outcome in guards where outcome.outcome == .refused && !names.contains(outcome.name) {
            names.append(outcome.name)
        }
        guard !names.isEmpty else { return nil }
        let word = names.count == 1 ? "guard" : "guards"
        return "Refused by \(word) \(names.named(upTo: 5)): `\(hint("apply"))` does nothing. The "
            + "rest of this plan says what it would do."
    }

    /// The command that applies exactly this plan; nil if the plan cannot be applied.
    package var command: String? {
        guard let digest, head.isApplicable else { return nil }
        let consents = consents.map { " " + TextStyle.safe($0) }.joined()
        return hint.selecting("apply --expect \(digest)") + consents
    }

    /// The symbols that the entries use, in the order of `PlanSymbol`.
    package var symbols: [PlanSymbol] {
        let used = Set(groups.flatMap(\.entries).flatMap(\.headlines).map(\.symbol))
        return PlanSymbol.allCases.filter(used.contains)
    }
}

/// The kinds of changes, most important first.
package enum PlanGroup: String, Hashable, Sendable, CaseIterable {
    case memberships
    /// Sent by this apply, irrevocably.
    case sends
    /// Sent by a service.
    case handedOver = "handed-over"
    /// An expected send does not happen, or a person must decide.
    case attention
    /// The same, but the campaign has later due times.
    case postponed
    case paused
    case scheduled
    /// Recorded without a send.
    case changed
    case removed

    /// The place in the order of importance.
    var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The symbol of a headline.
///
/// The headline's text has the same meaning, so that colour is not needed.
package enum PlanSymbol: String, Hashable, Sendable, CaseIterable {
    case send = ">"
    case add = "+"
    case change = "~"
    case remove = "-"
    case wait = "="
    case attention = "!"
}

/// A remark for reviewers.
package struct NoticeDescription: Hashable, Sendable {
    /// The campaign or audience that the notice is about.
    package let subject: String
    package let wording: String
}

/// A guard's outcome for the plan.
package struct GuardDescription: Hashable, Sendable {
    package enum Outcome: String, Hashable, Sendable {
        /// Would have refused, but the files acknowledge it.
        case acknowledged
        /// Refuses: apply exits with 6.
        case refused
        /// Bypassed by a `--dangerous-…` option.
        case bypassed
    }

    /// For example, `max-recipients`.
    package let name: String
    /// The campaign, audience or environment that the outcome is about.
    package let subject: String?
    package let outcome: Outcome
    /// The explanation and, after a refusal, possible fixes.
    package let wording: String
}

import CampaignModel
import JSON
import Planning

/// The outcome of a guard, with its text.
struct WordedGuardOutcome {
    let outcome: GuardOutcome
    let wording: GuardWording

    init(_ outcome: GuardOutcome, environment: EnvironmentID) {
        self.outcome = outcome
        wording = GuardWording(outcome, environment: environment)
    }
}

extension PlanJSON {
    static let guardOutcome = JSONShape<WordedGuardOutcome>(
        "A guard whose limit is exceeded.",
        [
            .required("guard", .openChoice, about: "Name of the guard.") { $0.outcome.guard },
            .required("outcome", .choice, about: "What follows from it.") {
                $0.outcome.verdict.name
            },
            .required("reason", .text, about: "Why the guard refuses.") { $0.wording.reason },
            .required("way_out", .text, about: "What to do about it.") { $0.wording.wayOut },
            .required("bypass", .text, about: "Option that switches off the guard.") {
                $0.outcome.guard.option
            },
            .optional("campaign", .text, about: "Name of the campaign.") {
                if case .campaign(let id)? = $0.outcome.subject { id.rawValue } else { nil }
            },
            .optional("audience", .text, about: "Audience.") {
                if case .audience(let id, _)? = $0.outcome.subject { id.rawValue } else { nil }
            },
            .optional("topic", .text, about: "Topic, if the guard is about a membership.") {
                if case .audience(_, let topic)? = $0.outcome.subject { topic?.name } else { nil }
            },
            .optional(
                "acknowledged",
                .text,
                about: "The author's reason.",
                requiredIf: JSONCondition("outcome", isOneOf: [GuardVerdict.Name.acknowledged])
            ) {
                if case .acknowledged(_, let reason) = $0.outcome.verdict { reason } else { nil }
            },
        ]
    )
}

extension GuardVerdict {
    /// The names of verdicts in JSON and in text.
    enum Name: String, CaseIterable {
        case acknowledged
        case refused
        case bypassed
    }

    var name: Name {
        switch self {
        case .acknowledged: .acknowledged
        case .refused: .refused
        case .bypassed: .bypassed
        }
    }
}

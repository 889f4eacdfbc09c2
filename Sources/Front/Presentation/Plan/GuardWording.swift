package import CampaignModel
package import Planning

/// The text of a guard's outcome.
///
/// Names are raw; each view escapes them for its medium.
package struct GuardWording: Hashable, Sendable {
    /// The subject, such as a campaign's name.
    package let subject: String
    package let reason: String
    /// The advice to follow after a refusal.
    package let wayOut: String

    /// `environment`: the subject if the outcome has no other.
    package init(_ outcome: GuardOutcome, environment: EnvironmentID? = nil) {
        subject =
            switch outcome.subject {
            case .campaign(let id)?: id.rawValue
            case .audience(let id, _)?: id.rawValue
            case nil: environment?.rawValue ?? ""
            }
        let refusal = outcome.verdict.refusal
        reason = refusal.reason(for: outcome.subject)
        wayOut = refusal.wayOut(for: outcome.subject, in: environment)
    }
}

extension GuardVerdict {
    /// The reason for a refusal, even if it was acknowledged or bypassed.
    package var refusal: GuardRefusal {
        switch self {
        case .acknowledged(let refusal, _), .refused(let refusal), .bypassed(let refusal): refusal
        }
    }
}

extension GuardRefusal {
    fileprivate func reason(for subject: GuardSubject?) -> String {
        switch self {
        case .tooManyRecipients(let count, let maximum, let acknowledged):
            "reaches up to \(count.counting("device")); max_recipients is \(maximum.grouped)"
                + (acknowledged.map { ", and \($0.grouped) are acknowledged" } ?? "")
        case .unknownReach(let maximum):
            "reach is unknown; max_recipients is \(maximum.grouped)"
        case .tooMuchChange(let joins, let leaves, let members, let maximum):
            "\(Self.moves(joins: joins, leaves: leaves)) topic \(Self.topic(of: subject)), which has "
                + "\(members.counting("recorded member")); max_change is \(maximum)"
        case .tooManyCancelled(let count, let scheduled, let maximum):
            "cancels \(count.grouped) of \(scheduled.counting("scheduled send")), more than \(maximum)"
        case .shrunkList(let from, let to, let maximum):
            "the list shrank from \(from.counting("registration")) to \(to.grouped); max_change is "
                + "\(maximum)"
        case .testAudience(let names):
            "addresses \(names.count == 1 ? "test audience" : "test audiences") "
                + "\(names.joined(separator: ", ")); the environment is protected"
        case .tooManySends(let count, let maximum):
            "sends \(count.counting("message")) in one apply; max_sends_per_run is "
                + "\(maximum.grouped)"
        case .otherProject(let recorded, let found):
            "the state belongs to project `\(recorded)`, but herald.yaml names `\(found)`"
        case .foreignServer(let address):
            "the endpoint \(address) is neither Google nor localhost, and would receive "
                + "registrations and messages"
        case .fixedClock: "HERALD_NOW sets the clock, and the environment is protected"
        case .notReviewed: "a reviewed plan is required, but --expect is missing"
        case .nobodyConfirms:
            "the environment is protected, and its name cannot be typed without a terminal; --yes "
                + "is not enough"
        }
    }

    private static func moves(joins: Int, leaves: Int) -> String {
        switch (joins, leaves) {
        case (_, 0): joins.counting("registration joins", plural: "registrations join")
        case (0, _): leaves.counting("registration leaves", plural: "registrations leave")
        default:
            joins.counting("registration joins", plural: "registrations join") + " and "
                + leaves.counting("leaves", plural: "leave")
        }
    }

    private static func topic(of subject: GuardSubject?) -> String {
        if case .audience(_, let topic?) = subject { topic.name } else { "" }
    }

    private static func acknowledgement(of count: Int, in subject: GuardSubject?) -> String {
        let document =
            if case .campaign? = subject { "the campaign" } else { "the audience's document" }
        return "check the list; if it is correct, add `acknowledge: { change: \(count), "
            + "reason: … }` to \(document)"
    }

    fileprivate func wayOut(
        for subject: GuardSubject?,
        in environment: EnvironmentID?
    ) -> String {
        switch self {
        case .tooManyRecipients(let count, _, _):
            "add `acknowledge: { reach: \(count), reason: … }` to the campaign"
        case .unknownReach(let maximum):
            "declare the topic's `reach` in herald.yaml, or add `acknowledge: { reach: N, "
                + "reason: … }` with N above \(maximum)"
        case .tooMuchChange(let joins, let leaves, _, _):
            Self.acknowledgement(of: joins + leaves, in: subject)
        case .tooManyCancelled:
            "check for a missing directory; if none is missing, remove campaigns in several applies"
        case .shrunkList(let from, let to, _):
            Self.acknowledgement(of: from - to, in: subject)
        case .testAudience:
            "address another audience, or set `guard: { allow_test: true }`"
                + (environment.map { " for \($0)" } ?? "")
        case .tooManySends: "apply in parts with --only, or raise max_sends_per_run"
        case .otherProject:
            "correct herald.yaml, or create a separate environment for the other project"
        case .foreignServer: "remove `endpoint` from herald.yaml, unless it is your own gateway"
        case .fixedClock: "unset HERALD_NOW"
        case .notReviewed: "apply with --expect and the digest of the reviewed plan"
        case .nobodyConfirms: "apply at a terminal, or with --expect and a reviewed plan's digest"
        }
    }
}

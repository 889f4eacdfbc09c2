package import CampaignModel
package import Planning

/// The text of a guard's outcome.
///
/// Names are raw; each view escapes them for its medium.
package struct GuardText: Hashable, Sendable {
    /// The subject, such as a campaign's name.
    package let subject: String
    package let reason: String
    /// The advice to follow after a refusal.
    package let wayOut: String

    /// `environment`: the subject if the outcome has no other.
    package init(_ outcome: GuardOutcome, environment: EnvironmentID) {
        subject =
            switch outcome.subject {
            case .campaign(let id)?: id.rawValue
            case .audience(let id, _)?: id.rawValue
            case nil: environment.rawValue
            }
        let refusal = outcome.verdict.refusal
        reason = refusal.reason(for: outcome.subject)
        wayOut = refusal.wayOut(environment)
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
            "reaches up to \(count.grouped), and max_recipients is \(maximum.grouped)"
                + (acknowledged.map { "; it acknowledges \($0.grouped)" } ?? "")
        case .unknownReach(let maximum):
            "nobody knows how many it reaches, and max_recipients is \(maximum.grouped)"
        case .tooMuchChange(let joins, let leaves, let members, let maximum):
            "\(Self.moves(joins, leaves)) topic \(Self.topic(of: subject)), where "
                + "\(members.counting("member")) \(members == 1 ? "is" : "are") recorded: more than "
                + "max_change, \(maximum)"
        case .tooManyCancelled(let count, let scheduled, let maximum):
            "cancels \(count.grouped) of \(scheduled.counting("scheduled send")), more than \(maximum)"
        case .shrunkList(let from, let to, let maximum):
            "the list had \(from.counting("registration")) and has \(to.grouped): more than max_change, "
                + "\(maximum), are gone"
        case .testAudience(let names):
            "addresses \(names.joined(separator: ", ")), which is for tests, and the environment is "
                + "protected"
        case .tooManySends(let count, let maximum):
            "\(count.counting("message")) in one apply, and max_sends_per_run is \(maximum.grouped)"
        case .otherProject(let recorded, let found):
            "the state was made for the project `\(recorded)`, and herald.yaml says `\(found)`"
        case .foreignServer(let address):
            "the endpoint \(address) is neither Google's nor this machine, and registrations and "
                + "messages would go there"
        case .fixedClock: "HERALD_NOW sets the clock, and the environment is protected"
        case .notReviewed: "it requires a reviewed plan, and no --expect says which"
        case .nobodyConfirms:
            "it is protected, and nobody is there to type its name; --yes is not enough"
        }
    }

    private static func moves(_ joins: Int, _ leaves: Int) -> String {
        switch (joins, leaves) {
        case (_, 0): "\(joins.grouped) join"
        case (0, _): "\(leaves.grouped) leave"
        default: "\(joins.grouped) join and \(leaves.grouped) leave"
        }
    }

    private static func topic(of subject: GuardSubject?) -> String {
        if case .audience(_, let topic?) = subject { topic.name } else { "" }
    }

    fileprivate func wayOut(_ environment: EnvironmentID) -> String {
        switch self {
        case .tooManyRecipients(let count, _, _):
            "write `acknowledge: { reach: \(count), reason: … }` in the campaign"
        case .unknownReach(let maximum):
            "declare the topic's `reach` in herald.yaml, or write `acknowledge: { reach: N, "
                + "reason: … }` with N above \(maximum)"
        case .tooMuchChange: "look at the list; if it is right, change it in several applies"
        case .tooManyCancelled:
            "look for a folder that is missing; if none is, remove them in parts"
        case .shrunkList: "look at the list; if it is right, shorten it in several applies"
        case .testAudience:
            "address other people, or write `guard: { allow_test: true }` for \(environment)"
        case .tooManySends: "apply in parts with --only, or raise max_sends_per_run"
        case .otherProject:
            "mend herald.yaml, or give the other project an environment of its own"
        case .foreignServer: "take `endpoint` out of herald.yaml, unless it is a gateway of yours"
        case .fixedClock: "unset HERALD_NOW"
        case .notReviewed: "apply with --expect and the digest that the reviewed plan ends with"
        case .nobodyConfirms: "apply at a terminal, or with --expect and a reviewed plan's digest"
        }
    }
}

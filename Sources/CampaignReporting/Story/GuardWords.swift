import CampaignModel
import CampaignPlanning

/// What guards say of a plan, in words, with a way out.
struct GuardWords {
    let hint: CommandHint

    func story(_ outcome: GuardOutcome) -> GuardStory {
        let (verdict, refusal, addition) =
            switch outcome.verdict {
            case .acknowledged(let refusal, let reason):
                (GuardStory.Outcome.acknowledged, refusal, ", which is acknowledged: “\(reason)”")
            case .refused(let refusal): (.refused, refusal, wayOut(outcome.guard))
            case .bypassed(let refusal):
                (.bypassed, refusal, "; `\(outcome.guard.option)` was given")
            }
        return GuardStory(
            name: outcome.guard.rawValue,
            subject: outcome.subject?.words,
            outcome: verdict,
            words: words(refusal) + addition
        )
    }

    private func words(_ refusal: GuardRefusal) -> String {
        switch refusal {
        case .tooManyRecipients(let count, let maximum, let acknowledged):
            "reaches \(count.grouped), and \(maximum.grouped) are allowed"
                + (acknowledged.map { "; only \($0.grouped) are acknowledged" } ?? "")
        case .unknownReach(let maximum):
            "nobody knows how many it reaches, and \(maximum.grouped) are allowed"
        case .tooMuchChange(let joins, let leaves, let members, let maximum):
            "\(joins.counting("registration joins", "registrations join")), \(leaves.grouped) leave, "
                + "of \(members.grouped); \(maximum) are allowed"
        case .tooManyCancelled(let count, let scheduled, let maximum):
            "\(count.counting("scheduled send is", "scheduled sends are")) cancelled of "
                + "\(scheduled.grouped); \(maximum) are allowed"
        case .shrunkList(let from, let to, let maximum):
            "the list had \(from.counting("registration")) and has \(to.grouped); \(maximum) may go"
        case .testAudience(let names):
            "\(names.joined(by: "and")) \(names.count == 1 ? "is" : "are") for tests"
        case .tooManySends, .otherProject, .fixedClock, .notReviewed, .nobodyConfirms:
            wordsOfRun(refusal)
        }
    }

    private func wordsOfRun(_ refusal: GuardRefusal) -> String {
        switch refusal {
        case .tooManySends(let count, let maximum):
            "\(count.counting("message")) in one apply, and \(maximum.grouped) are allowed"
        case .otherProject(let recorded, let found):
            "the state was made for project \(recorded), and this is \(found)"
        case .fixedClock: "`HERALD_NOW` sets the clock of a protected environment"
        case .notReviewed: "apply takes a reviewed plan alone: give it the digest with `--expect`"
        case .nobodyConfirms: "nobody is there to type the environment's name"
        default: ""
        }
    }

    private func wayOut(_ guard: Guard) -> String {
        switch `guard` {
        case .maxRecipients:
            "; write `acknowledge: { reach: N, reason: … }`, or `\(`guard`.option)`"
        default: "; `\(`guard`.option)` switches it off for one run"
        }
    }
}

extension GuardSubject {
    fileprivate var words: String {
        switch self {
        case .campaign(let campaign): campaign.rawValue
        case .audience(let audience, let topic):
            audience.rawValue + (topic.map { " in topic \($0)" } ?? "")
        }
    }
}

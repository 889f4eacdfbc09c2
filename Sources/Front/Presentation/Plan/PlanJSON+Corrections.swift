import CampaignMessages
import CampaignModel
import JSON
import Planning
import State
import Time

/// Campaigns that correct others.
extension PlanJSON {
    static let correctionMembers: [JSONMember<CampaignStep>] = [
        .optional(
            "accepted",
            .count,
            about: "Requests of the corrected occurrence that FCM accepted.",
            requiredIf: action([.correct])
        ) { $0.correction?.recall.unit.tally[.accepted] },
        .optional(
            "unsent",
            .count,
            about: "Requests of the corrected occurrence that are cancelled.",
            requiredIf: action([.correct])
        ) { $0.correction?.recall.unsent },
        .optional(
            "expires",
            .moment,
            about: "End of the correction and of the message that it corrects.",
            requiredIf: action([.correct])
        ) { $0.correction?.recall.end },
        .optional(
            "handed_over",
            .flag,
            about: "Whether a service makes the correction.",
            requiredIf: action([.correct])
        ) { $0.correction?.isHandedOver },
        .optional(
            "replaced",
            .list(of: .choice),
            about: "Platforms on which the notification is replaced.",
            requiredIf: action([.correct])
        ) { $0.correction?.recall.effect.replaced },
        .optional(
            "left",
            .list(of: .choice),
            about: "Platforms on which the notification has no key and stays.",
            requiredIf: action([.correct])
        ) { $0.correction?.recall.effect.left },
        .optional(
            "reason",
            .choice,
            about: "Why there is nothing to correct.",
            requiredIf: action([.nothingToCorrect])
        ) { step -> CorrectionObstacle? in
            if case .uncorrectable(let nothing) = step {
                CorrectionObstacle(nothing.reason)
            } else {
                nil
            }
        },
    ]
}

/// The names of reasons in the JSON plan.
///
/// Their meanings never change.
private enum CorrectionObstacle: String, CaseIterable {
    case notSent = "not_sent"
    case nothingAccepted = "nothing_accepted"
    case showsNothing = "shows_nothing"
    case expired
    case alreadyRecalled = "already_recalled"
    case replaced
    case compacted
    case unreadable
    case lostList = "lost_list"

    init(_ reason: NothingToCorrect.Reason) {
        self =
            switch reason {
            case .notSent, .refused(.notBegun): .notSent
            case .refused(.nothingAccepted): .nothingAccepted
            case .refused(.showsNothing): .showsNothing
            case .refused(.expired): .expired
            case .refused(.alreadyRequested), .refused(.isRecall): .alreadyRecalled
            case .refused(.replaced): .replaced
            case .refused(.compacted): .compacted
            case .refused(.unreadable): .unreadable
            case .lostList: .lostList
            }
    }
}

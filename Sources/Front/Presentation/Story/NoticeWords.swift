import CampaignModel
import Planning
import State
import Time

/// Renders a plan's notices as text.
struct NoticeWords {
    let hint: CommandHint
    let clock: StoryClock

    func story(_ notice: PlanNotice) -> NoticeStory {
        switch notice {
        case .authorWins(let campaign, let field):
            about(
                campaign,
                "`message.\(field)` is written by hand; `delivery` does not apply to it"
            )
        case .dataPriorityOnApple(let campaign):
            about(campaign, "shows nothing, so on Apple platforms `priority: high` becomes 5")
        case .leavesOut(let campaign, let platforms):
            about(campaign, "nothing in it is for \(platforms.names)")
        case .skippedLocalTime(let campaign, let moment, _):
            about(campaign, clock.skipped(moment))
        case .doubledLocalTime(let campaign, let moment):
            about(
                campaign,
                "\(moment.local) comes twice in \(moment.zone) that day; it is sent the first time"
            )
        case .unknownFormerName(let campaign, let name):
            about(
                campaign,
                "the state knows no campaign \(name), so `moved_from` changes nothing and it begins "
                    + "anew"
            )
        case .settles(let occurrence, let seconds):
            about(
                occurrence.campaign,
                "waits up to \(seconds) s for joins into its topics to settle"
            )
        case .waitsForFanOut(let occurrence, let seconds):
            about(
                occurrence.campaign,
                "waits about \(EffortWords.words(seconds)) until FCM is through with the fan-outs "
                    + "before it (`--no-wait` sends at once)"
            )
        case .fanOutOfUnknownReach(let occurrence):
            about(
                occurrence.campaign,
                "nobody declares whom it reaches, so the fan-outs after it don't wait for it"
            )
        case .unknownOutcomes(let occurrence, let count):
            about(
                occurrence.campaign,
                "of \(count.counting("request")) nobody can say whether FCM took "
                    + (count == 1 ? "it; it is not repeated" : "them; they are not repeated")
                    + " (`\(hint("resolve \(occurrence) sent|resend|drop"))` settles it)"
            )
        case .deadRegistrations(let campaign, let count, let total):
            about(
                campaign,
                "of \(total.counting("registration")) \(count.counting("is", "are")) dead: nothing "
                    + "is sent to \(count == 1 ? "it" : "them")"
            )
        case .refusedMembers, .foreignMembers, .optedOutMembers, .openLeaves, .deadMembers,
            .removalIsDone:
            members(notice)
        }
    }

    private func members(_ notice: PlanNotice) -> NoticeStory {
        switch notice {
        case .refusedMembers(let scope, let count):
            about(
                scope,
                "FCM refused \(count.counting("registration")) in topic \(scope.topic); they are "
                    + "not tried again"
            )
        case .deadMembers(let scope, let count):
            about(
                scope,
                "\(count.counting("registration is", "registrations are")) dead and not asked to "
                    + "join topic \(scope.topic)"
            )
        case .foreignMembers(let scope, let count):
            about(
                scope,
                "\(count.counting("was", "were")) in topic \(scope.topic) before; they stay when "
                    + "they leave the list"
            )
        case .optedOutMembers(let scope, let count):
            about(
                scope,
                "\(count.counting("registration")) left topic \(scope.topic) by themselves; they "
                    + "are not joined again without `rejoin: true`"
            )
        case .openLeaves(let scope, let count):
            about(
                scope,
                "\(count.counting("registration")) could not leave topic \(scope.topic) so far; "
                    + "sends to it wait until they have left"
            )
        case .removalIsDone(let audience):
            NoticeStory(
                subject: audience.rawValue,
                words: "nobody is kept for it any more; its `removed:` document can go"
            )
        default: NoticeStory(subject: "", words: "")
        }
    }

    private func about(_ campaign: CampaignID, _ words: String) -> NoticeStory {
        NoticeStory(subject: campaign.rawValue, words: words)
    }

    private func about(_ scope: MembershipScope, _ words: String) -> NoticeStory {
        NoticeStory(subject: scope.audience.rawValue, words: words)
    }
}

extension PlanNotice {
    /// The campaign of the notice; nil if the notice is about an audience.
    var campaign: CampaignID? {
        switch self {
        case .authorWins(let campaign, _), .dataPriorityOnApple(let campaign),
            .leavesOut(let campaign, _), .skippedLocalTime(let campaign, _, _),
            .doubledLocalTime(let campaign, _), .unknownFormerName(let campaign, _),
            .deadRegistrations(let campaign, _, _):
            campaign
        case .settles(let occurrence, _), .unknownOutcomes(let occurrence, _),
            .waitsForFanOut(let occurrence, _), .fanOutOfUnknownReach(let occurrence):
            occurrence.campaign
        case .refusedMembers, .foreignMembers, .optedOutMembers, .openLeaves, .deadMembers,
            .removalIsDone:
            nil
        }
    }

    /// The membership of the notice; nil if it is about something else.
    var scope: MembershipScope? {
        switch self {
        case .refusedMembers(let scope, _), .foreignMembers(let scope, _),
            .optedOutMembers(let scope, _), .openLeaves(let scope, _), .deadMembers(let scope, _):
            scope
        default: nil
        }
    }
}

extension [Platform] {
    /// For example, `Android, Apple and web`.
    package var names: String { map(\.displayName).joined(by: "and") }
}

extension [String] {
    /// For example, `a`, `a and b`, `a, b and c`.
    func joined(by word: String) -> String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " \(word) " + last
    }
}

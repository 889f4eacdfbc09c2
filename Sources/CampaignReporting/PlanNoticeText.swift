import CampaignModel
import CampaignPlanning
import CampaignState
import Scheduling

/// A plan's notices in words.
struct PlanNoticeText {
    let style: TextStyle
    let hint: CommandHint

    func line(_ notice: PlanNotice) -> String {
        "  \(style.paint("note", .attention)) \(words(notice))"
    }

    private func words(_ notice: PlanNotice) -> String {
        switch notice {
        case .authorWins(let campaign, let field):
            "\(campaign): `message.\(TextStyle.safe(field))` is written by hand; `delivery` does "
                + "not apply to it"
        case .dataPriorityOnApple(let campaign):
            "\(campaign): shows nothing, so on Apple platforms `priority: high` becomes 5"
        case .leavesOut(let campaign, let platforms):
            "\(campaign): nothing in it is for \(platforms.map(\.rawValue).joined(separator: ", "))"
        case .skippedLocalTime(let campaign, let moment, let gap):
            "\(campaign): \(moment.local) does not exist in \(moment.zone) that day, as clocks go "
                + "forward by \(gap / 60) min; it is sent at \(moment.instant.utcText)"
        case .doubledLocalTime(let campaign, let moment):
            "\(campaign): \(moment.local) comes twice in \(moment.zone) that day; it is sent the "
                + "first time"
        case .unknownFormerName(let campaign, let name):
            "\(campaign): the state knows no campaign \(name), so `moved_from` changes nothing and "
                + "it begins anew"
        case .refusedMembers(let scope, let count):
            "\(scope.audience): FCM refused \(count.counting("registration")) in topic "
                + "\(scope.topic); they are not tried again"
        case .foreignMembers(let scope, let count):
            "\(scope.audience): \(count.counting("was", "were")) in topic \(scope.topic) before; "
                + "they stay when they leave the list"
        case .optedOutMembers(let scope, let count):
            "\(scope.audience): \(count.counting("registration")) left topic \(scope.topic) by "
                + "themselves; they are not joined again without `rejoin: true`"
        case .openLeaves(let scope, let count):
            "\(scope.audience): \(count.counting("registration")) could not leave topic "
                + "\(scope.topic) so far; sends to it wait until they have left"
        case .removalIsDone(let audience):
            "\(audience): nobody is kept for it any more; its `removed:` document can go"
        case .settles(let occurrence, let seconds):
            "\(occurrence.campaign): waits up to \(seconds) s for joins into its topics to settle"
        case .unknownOutcomes(let occurrence, let count):
            "\(occurrence.campaign): of \(count.counting("request")) nobody can say whether FCM "
                + "took them; they are not repeated ("
                + hint("resolve \(occurrence) sent|resend|drop") + " settles them)"
        }
    }
}

import CampaignModel
import Planning
import State
import Time

/// Renders a plan's notices as text.
struct NoticeWording {
    let hint: CommandHint
    let clock: StoryClock

    func story(_ notice: PlanNotice) -> NoticeDescription {
        switch notice {
        case .authorWins(let campaign, let field):
            about(
                campaign,
                wording: "`message.\(field)` is set explicitly; `delivery` does not change it"
            )
        case .dataPriorityOnApple(let campaign):
            about(
                campaign,
                wording:
                    "`priority: high` becomes normal (5) on Apple platforms, because the message "
                    + "shows nothing"
            )
        case .leavesOut(let campaign, let platforms):
            about(
                campaign,
                wording: "contains nothing for \(platforms.names); these devices receive nothing"
            )
        case .skippedLocalTime(let campaign, let moment, _):
            about(campaign, wording: clock.skipped(moment))
        case .doubledLocalTime(let campaign, let moment):
            about(
                campaign,
                wording:
                    "\(moment.local) occurs twice in \(moment.zone), because clocks go back; it is "
                    + "sent once, the first time"
            )
        case .unknownFormerName(let campaign, let name):
            about(
                campaign,
                wording:
                    "the state contains no campaign \(name), so `moved_from` has no effect and this "
                    + "campaign starts without history"
            )
        case .settles(let occurrence, let seconds):
            about(
                occurrence.campaign,
                wording: "waits up to \(seconds) s after joins to its topics (settle delay)"
            )
        case .waitsForFanOut(let occurrence, let seconds):
            about(
                occurrence.campaign,
                wording:
                    "waits about \(EffortWording.wording(seconds)) until FCM finishes earlier fan-outs "
                    + "(`--no-wait` sends at once)"
            )
        case .fanOutOfUnknownReach(let occurrence):
            about(
                occurrence.campaign,
                wording: "reach is not declared, so later fan-outs do not wait for it"
            )
        case .editedList(let occurrence, let list):
            about(occurrence.campaign, wording: edited(list))
        case .unknownOutcomes(let occurrence, let count):
            about(
                occurrence.campaign,
                wording: (count == 1
                    ? "1 request may have been sent (outcome unknown), so it is"
                    : "\(count.grouped) requests may have been sent (outcomes unknown), so they are")
                    + " not sent again; resolve with "
                    + "`\(hint("resolve \(occurrence) sent|resend|drop"))`; `resend` may reach a "
                    + "device twice"
            )
        case .deadRegistrations(let campaign, let count, let total):
            about(
                campaign,
                wording: "\(count.grouped) of \(total.counting("registration")) "
                    + (count == 1 ? "is dead and is skipped" : "are dead and are skipped")
                    + ": FCM reported that the app is no longer registered"
            )
        case .optedOutRegistrations(let campaign, let count, let total):
            about(
                campaign,
                wording: "\(count.grouped) of \(total.counting("registration")) opted out with a "
                    + "message (upstream) and \(count == 1 ? "is" : "are") skipped"
            )
        case .leftUpstream(let scope, let count):
            about(
                scope,
                wording: "\(count.counting("member")) left topic \(scope.topic) with a message "
                    + "(upstream)"
            )
        case .replies(let rule, let count):
            about(
                rule,
                wording: "\(count.counting("registration")) "
                    + (count == 1 ? "gets" : "get") + " its reply to a message (upstream)"
            )
        case .refusedMembers(let scope, let count):
            about(scope, wording: refused(count, in: scope))
        case .deadMembers(let scope, let count):
            about(scope, wording: dead(count, for: scope.topic))
        case .externalMembers(let scope, let count):
            about(scope, wording: external(count, in: scope.topic))
        case .optedOutMembers(let scope, let count):
            about(scope, wording: optedOut(count, of: scope.topic))
        case .openLeaves(let scope, let count):
            about(scope, wording: openLeaves(count, from: scope.topic))
        case .createsTopic(let scope):
            about(
                scope,
                wording: "this is the first use of topic \(scope.topic) in the environment: the "
                    + "apply creates it, and then any app can subscribe to it"
            )
        case .mayReturn(let scope, let count):
            about(scope, wording: returning(count, to: scope.topic))
        case .mayReceiveTwice(let campaign, let topics, let count):
            about(campaign, wording: twice(count, in: topics))
        case .removalIsDone(let audience):
            NoticeDescription(
                subject: audience.rawValue,
                wording: "no memberships are left; delete its `removed:` document"
            )
        case .quietHours(let occurrence, let effect):
            about(occurrence.campaign, wording: QuietWording(clock: clock).wording(effect))
        case .capped(let occurrence, let people, let total):
            about(occurrence.campaign, wording: capped(people, of: total))
        case .exemptFromCap(let campaign, let reason):
            about(
                campaign,
                wording: "is exempt from the cap on messages to one person: "
                    + TextStyle.safe(reason)
            )
        case .countedFanOut(let occurrence, let members):
            about(occurrence.campaign, wording: counted(members))
        case .rollout(let occurrence, let rollout):
            about(occurrence.campaign, wording: RolloutWording(clock: clock).wording(rollout))
        case .unreadSource(let unread):
            NoticeDescription(
                subject: RegistrationFile.path(of: unread.source),
                wording: "was not read, so \(unread.dependents) "
                    + (unread.campaigns.count + unread.audiences.count == 1 ? "is" : "are")
                    + " not planned; to plan everything, run `\(hint("plan --allow-sources"))`; "
                    + "`apply` also requires `--allow-sources`"
            )
        case .approvals(let planned):
            NoticeDescription(
                subject: "approvals",
                wording: PlannedApprovalsWording(hint: hint).text(of: planned)
            )
        }
    }

    private func about(_ campaign: CampaignID, wording: String) -> NoticeDescription {
        NoticeDescription(subject: campaign.rawValue, wording: wording)
    }

    private func about(_ scope: MembershipScope, wording: String) -> NoticeDescription {
        NoticeDescription(subject: scope.audience.rawValue, wording: wording)
    }
}

// MARK: - Lists

extension NoticeWording {
    /// The most registrations that the notice names.
    private static let named = 3

    private func edited(_ list: EditedList) -> String {
        let remaining = list.remaining.counting(
            "request to the original list remains",
            plural: "requests to the original list remain"
        )
        return "its list has changed since the send began: \(remaining)" + removed(from: list)
            + added(list.added)
    }

    private func removed(from list: EditedList) -> String {
        let count = list.removed.count
        guard count > 0 else { return "" }
        let share =
            count < list.remaining
            ? "\(count.grouped) of them " : count > 1 ? "all of them " : ""
        let who = count == 1 ? "a registration that is" : "registrations that are"
        let more = count - Self.named
        let names =
            list.removed.prefix(Self.named).map { "`\($0)`" }
            + (more > 0 ? ["\(more.grouped) more"] : [])
        return ", \(share)to \(who) no longer in the list (\(names.joined(by: "and")))"
    }

    private func added(_ count: Int) -> String {
        guard count > 0 else { return "" }
        let who = count.counting("registration is", plural: "registrations are")
        return "; \(who) new in the list and " + (count == 1 ? "gets" : "get") + " nothing"
    }
}

// MARK: - People

extension NoticeWording {
    private func capped(_ count: Int, of total: Int) -> String {
        "about \(count.grouped) of \(total.counting("person", plural: "people")) "
            + (count == 1 ? "is" : "are") + " over the cap and "
            + (count == 1 ? "is" : "are") + " left out"
    }

    private func counted(_ members: Int) -> String {
        "the cap does not limit this send, because FCM chooses the recipients; it counts for "
            + members.counting("managed member")
    }
}

// MARK: - Members

extension NoticeWording {
    private func refused(_ count: Int, in scope: MembershipScope) -> String {
        "FCM refused \(count.counting("registration")) for topic \(scope.topic); retry with "
            + "`\(hint("registrations retry \(scope.audience)"))`"
    }

    private func dead(_ count: Int, for topic: Topic) -> String {
        (count == 1
            ? "1 registration is dead and does"
            : "\(count.grouped) registrations are dead and do")
            + " not join topic \(topic)"
    }

    private func external(_ count: Int, in topic: Topic) -> String {
        "\(count.counting("registration")) subscribed to topic \(topic) before "
            + "Herald's first join; Herald never removes " + (count == 1 ? "it" : "them")
    }

    private func optedOut(_ count: Int, of topic: Topic) -> String {
        "\(count.counting("registration")) opted out of topic \(topic) and "
            + (count == 1 ? "does" : "do") + " not join again without `rejoin: true`"
    }

    private func returning(_ count: Int, to topic: Topic) -> String {
        "\(count.counting("registration")) may join topic \(topic) again without Herald: at "
            + "its next start, an app subscribes to each topic that it still requests"
    }

    private func twice(_ count: Int, in topics: [Topic]) -> String {
        count.counting("known registration is", plural: "known registrations are")
            + " in several of the topics \(topics.map(\.name).joined(by: "and")); FCM sends each "
            + "one message, but users have reported two"
    }

    private func openLeaves(_ count: Int, from topic: Topic) -> String {
        "\(count.counting("registration has", plural: "registrations have")) not left topic "
            + "\(topic) yet; sends to the topic wait"
    }
}

extension PlanNotice {
    /// The campaign of the notice; nil if the notice is about an audience.
    var campaign: CampaignID? {
        switch self {
        case .authorWins(let campaign, _), .dataPriorityOnApple(let campaign),
            .leavesOut(let campaign, _), .skippedLocalTime(let campaign, _, _),
            .doubledLocalTime(let campaign, _), .unknownFormerName(let campaign, _),
            .deadRegistrations(let campaign, _, _), .optedOutRegistrations(let campaign, _, _),
            .mayReceiveTwice(let campaign, _, _), .replies(let campaign, _),
            .exemptFromCap(let campaign, _):
            campaign
        case .settles(let occurrence, _), .unknownOutcomes(let occurrence, _),
            .waitsForFanOut(let occurrence, _), .fanOutOfUnknownReach(let occurrence),
            .editedList(let occurrence, _), .quietHours(let occurrence, _),
            .capped(let occurrence, _, _), .countedFanOut(let occurrence, _),
            .rollout(let occurrence, _):
            occurrence.campaign
        case .refusedMembers, .externalMembers, .leftUpstream, .optedOutMembers, .openLeaves,
            .deadMembers,
            .createsTopic, .mayReturn, .removalIsDone, .unreadSource, .approvals:
            nil
        }
    }

    /// The membership of the notice; nil if it is about something else.
    var scope: MembershipScope? {
        switch self {
        case .refusedMembers(let scope, _), .externalMembers(let scope, _),
            .leftUpstream(let scope, _),
            .optedOutMembers(let scope, _), .openLeaves(let scope, _), .deadMembers(let scope, _),
            .createsTopic(let scope), .mayReturn(let scope, _):
            scope
        case .authorWins, .dataPriorityOnApple, .leavesOut, .skippedLocalTime, .doubledLocalTime,
            .unknownFormerName, .deadRegistrations, .optedOutRegistrations, .mayReceiveTwice,
            .replies, .removalIsDone, .settles,
            .waitsForFanOut, .fanOutOfUnknownReach, .editedList, .unknownOutcomes, .quietHours,
            .capped, .exemptFromCap, .countedFanOut, .rollout, .unreadSource, .approvals:
            nil
        }
    }
}

extension UnreadSource {
    /// For example, `campaign call and audiences crew and vips`.
    fileprivate var dependents: String {
        func names(_ kind: String, _ names: [String]) -> [String] {
            guard !names.isEmpty else { return [] }
            return [kind + (names.count == 1 ? " " : "s ") + names.joined(by: "and")]
        }
        let campaigns = names("campaign", campaigns.map(\.rawValue))
        return (campaigns + names("audience", audiences.map(\.rawValue))).joined(by: "and")
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

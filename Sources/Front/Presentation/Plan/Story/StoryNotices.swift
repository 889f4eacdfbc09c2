import CampaignModel
import Planning
import State
import Time

/// Assigns a plan's notices to its entries.
struct StoryNotices {
    /// Notices about campaigns and memberships without an entry.
    let others: [NoticeDescription]
    private let campaigns: [CampaignID: [PlanNotice]]
    private let memberships: [MembershipScope: [PlanNotice]]
    private let wording: NoticeWording

    init(_ plan: Plan, hint: CommandHint, clock: StoryClock) {
        wording = NoticeWording(hint: hint, clock: clock)
        let told = Set(plan.campaigns.lazy.filter { $0.step != .unchanged }.map(\.campaign))
        let scopes = Set(plan.memberships.map(\.scope))
        var others: [PlanNotice] = []
        var campaigns: [CampaignID: [PlanNotice]] = [:]
        var memberships: [MembershipScope: [PlanNotice]] = [:]
        for notice in plan.notices {
            if let campaign = notice.campaign, told.contains(campaign) {
                campaigns[campaign, default: []].append(notice)
            } else if let scope = notice.scope, scopes.contains(scope) {
                memberships[scope, default: []].append(notice)
            } else {
                others.append(notice)
            }
        }
        self.campaigns = campaigns
        self.memberships = memberships
        self.others = others.map(wording.story)
    }

    func of(_ campaign: CampaignID) -> CampaignNotices {
        CampaignNotices(notices: campaigns[campaign] ?? [], wording: wording)
    }

    func of(_ scope: MembershipScope) -> [String] {
        (memberships[scope] ?? []).map { wording.story($0).wording }
    }
}

/// The notices of one campaign.
///
/// A notice about a clock change appears next to its time if possible.
struct CampaignNotices {
    fileprivate let notices: [PlanNotice]
    fileprivate let wording: NoticeWording

    /// Notices about clock changes, by due time.
    var clocks: [Instant: String] {
        Dictionary(
            notices.compactMap { notice in
                notice.moment.map { ($0.instant, wording.story(notice).wording) }
            }
        ) { first, _ in first }
    }

    func wording(besides headlines: [PlanEntry.Headline]) -> [String] {
        let moments = Set(headlines.compactMap { $0.moment?.instant })
        let others = notices.filter { notice in
            notice.moment.map { !moments.contains($0.instant) } ?? true
        }
        let zoned = Dictionary(grouping: others.compactMap(\.zonedKind)) { $0 }.mapValues(\.count)
        var seen: Set<QuietEffect.Kind> = []
        return others.compactMap { notice -> String? in
            let text = wording.story(notice).wording
            guard let kind = notice.zonedKind else { return text }
            guard seen.insert(kind).inserted else { return nil }
            let count = (zoned[kind] ?? 1) - 1
            return count == 0
                ? text : text + "; the same holds for \(count.counting("other occurrence"))"
        }
    }
}

extension PlanNotice {
    /// What quiet hours do to the recipients in one time zone; nil for other notices.
    fileprivate var zonedKind: QuietEffect.Kind? {
        guard case .quietHours(let occurrence, let effect) = self, occurrence.slot.part != nil
        else {
            return nil
        }
        return effect.kind
    }

    /// The due time that a clock change affects.
    var moment: ScheduledMoment? {
        switch self {
        case .skippedLocalTime(_, let moment, _), .doubledLocalTime(_, let moment): moment
        case .authorWins, .dataPriorityOnApple, .leavesOut, .unknownFormerName,
            .deadRegistrations, .optedOutRegistrations, .deadMembers, .refusedMembers,
            .externalMembers, .leftUpstream, .optedOutMembers, .openLeaves, .createsTopic,
            .mayReturn, .mayReceiveTwice, .replies,
            .removalIsDone, .settles, .waitsForFanOut, .fanOutOfUnknownReach, .editedList,
            .unknownOutcomes, .quietHours, .capped, .exemptFromCap, .countedFanOut,
            .rollout, .unreadSource, .approvals:
            nil
        }
    }
}

extension PlanEntry.Headline {
    /// Adds the note about a clock change to its time.
    func noted(_ clocks: [Instant: String]) -> PlanEntry.Headline {
        guard let moment, let note = clocks[moment.instant] else { return self }
        return PlanEntry.Headline(
            symbol: symbol,
            wording: wording,
            moment: MomentDescription(
                instant: moment.instant,
                weekday: moment.weekday,
                local: moment.local,
                zone: moment.zone,
                utc: moment.utc,
                distance: moment.distance,
                note: note
            ),
            former: former,
            quotes: quotes,
            repeats: repeats
        )
    }
}

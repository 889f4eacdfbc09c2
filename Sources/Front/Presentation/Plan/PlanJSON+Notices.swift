import CampaignModel
import JSON
import Planning
import State
import Time

extension PlanJSON {
    static let notice = JSONShape<ShownNotice>(
        "A remark for reviewers; `notice` is its kind, which determines the other members.",
        ([.required("notice", .openChoice, about: "Kind of the notice.") { $0.kind }]
            + campaignMembers + scopeMembers + listMembers).reading(\ShownNotice.notice)
            + removedMembers
            + (quietMembers + rolloutMembers + sourceMembers).reading(\ShownNotice.notice)
    )

    private static let removedMembers: [JSONMember<ShownNotice>] = [
        .optional(
            "removed",
            .object(registrations),
            about: "Registrations of remaining requests that the current list does not contain.",
            requiredIf: notice([.editedList])
        ) { shown in
            shown.notice.editedList.map { RegistrationSample($0.removed, limit: shown.limit) }
        }
    ]

    private static let campaignMembers: [JSONMember<PlanNotice>] = [
        .optional(
            "campaign",
            .text,
            about: "Name of the campaign.",
            requiredIf: notice([
                .authorWins, .dataPriorityOnApple, .leavesOut, .skippedLocalTime,
                .doubledLocalTime, .unknownFormerName, .deadRegistrations, .optedOutRegistrations,
                .mayReceiveTwice, .replies,
                .exemptFromCap,
            ])
        ) { $0.occurrence == nil ? $0.campaign?.rawValue : nil },
        .optional(
            "field",
            .text,
            about: "Field that the author set for a platform.",
            requiredIf: notice([.authorWins])
        ) {
            if case .authorWins(_, let field) = $0 { field } else { nil }
        },
        .optional(
            "platforms",
            .list(of: .choice),
            about: "Platforms that receive no part of the message.",
            requiredIf: notice([.leavesOut])
        ) {
            if case .leavesOut(_, let platforms) = $0 { platforms } else { nil }
        },
        .optional(
            "topics",
            .list(of: .text),
            about: "Topics of the condition, each of which alone addresses a device.",
            requiredIf: notice([.mayReceiveTwice])
        ) {
            if case .mayReceiveTwice(_, let topics, _) = $0 { topics.map(\.name) } else { nil }
        },
        .optional(
            "due",
            .moment,
            about: "Due time; without quiet hours, if they move it.",
            requiredIf: notice([.skippedLocalTime, .doubledLocalTime])
        ) { $0.moment?.instant ?? $0.quietEffect?.due?.instant },
        .optional(
            "gap_seconds",
            .integer,
            about: "Length of the gap in local time.",
            requiredIf: notice([.skippedLocalTime])
        ) {
            if case .skippedLocalTime(_, _, let gap) = $0 { gap } else { nil }
        },
        .optional(
            "moved_from",
            .text,
            about: "Unknown old name.",
            requiredIf: notice([.unknownFormerName])
        ) {
            if case .unknownFormerName(_, let name) = $0 { name.rawValue } else { nil }
        },
        .optional(
            "reason",
            .text,
            about: "The author's reason.",
            requiredIf: notice([.exemptFromCap])
        ) {
            if case .exemptFromCap(_, let reason) = $0 { reason } else { nil }
        },
    ]

    private static let scopeMembers: [JSONMember<PlanNotice>] = [
        .optional(
            "audience",
            .text,
            about: "Audience.",
            requiredIf: notice([
                .deadMembers, .refusedMembers, .externalMembers, .leftUpstream, .optedOutMembers,
                .openLeaves, .createsTopic, .mayReturn, .removalIsDone,
            ])
        ) { $0.audience?.rawValue },
        .optional(
            "topic",
            .text,
            about: "Topic.",
            requiredIf: notice([
                .deadMembers, .refusedMembers, .externalMembers, .leftUpstream, .optedOutMembers,
                .openLeaves, .createsTopic, .mayReturn,
            ])
        ) { $0.scope?.topic.name },
        .optional(
            "occurrence",
            .occurrence,
            about: "campaign/slot/revision",
            requiredIf: notice([
                .settles, .waitsForFanOut, .fanOutOfUnknownReach, .editedList, .unknownOutcomes,
                .quietHours, .capped, .countedFanOut, .rollout,
            ])
        ) { $0.occurrence },
        .optional(
            "count",
            .count,
            about: "Registrations, requests or people that the notice is about; for `approvals`, "
                + "the signers who must approve.",
            requiredIf: notice([
                .deadRegistrations, .optedOutRegistrations, .deadMembers, .refusedMembers,
                .externalMembers, .leftUpstream, .optedOutMembers, .openLeaves, .mayReturn,
                .mayReceiveTwice, .replies, .unknownOutcomes,
                .capped, .countedFanOut,
            ])
        ) { $0.count },
        .optional(
            "of",
            .count,
            about: "Size of the list; for `capped`, the number of its people.",
            requiredIf: notice([.deadRegistrations, .optedOutRegistrations, .capped])
        ) { $0.total },
        .optional(
            "seconds",
            .integer,
            about: "Estimated or longest wait.",
            requiredIf: notice([.settles, .waitsForFanOut])
        ) { $0.seconds },
    ]

    private static let listMembers: [JSONMember<PlanNotice>] = [
        .optional(
            "remaining",
            .count,
            about: "Requests to the stored list that remain.",
            requiredIf: notice([.editedList])
        ) { $0.editedList?.remaining },
        .optional(
            "added",
            .count,
            about: "Registrations that only the current list contains, and that are not addressed.",
            requiredIf: notice([.editedList])
        ) { $0.editedList?.added },
    ]

    private static let quietMembers: [JSONMember<PlanNotice>] = [
        .optional(
            "effect",
            .choice,
            about: "What quiet hours do to the send.",
            requiredIf: notice([.quietHours])
        ) { $0.quietEffect?.kind },
        .optional(
            "until",
            .moment,
            about: "When the send begins or resumes.",
            requiredIf: notice([.quietHours])
        ) { $0.quietEffect?.until.instant ?? $0.rollout?.until?.instant },
        .optional(
            "may_arrive_later",
            .flag,
            about: "Whether FCM may deliver messages in the next quiet hours.",
            requiredIf: notice([.quietHours])
        ) { $0.quietEffect?.mayArriveLater },
        .optional(
            "zones",
            .list(of: .object(quietZone)),
            about: "Time zones whose recipients wait when the send begins, by the end of the wait."
        ) { $0.quietZones },
        .optional(
            "left_out",
            .count,
            about: "Messages that are not sent, because quiet hours in the recipients' zones end "
                + "too late for the send."
        ) { $0.leftOut },
    ]

    private static let quietZone = JSONShape<QuietEffect.Zone>(
        "A time zone whose recipients wait.",
        [
            .required("zone", .text, about: "IANA name of the time zone.") { $0.name },
            .required("until", .moment, about: "When its recipients get the message.") {
                $0.until.instant
            },
            .optional("count", .count, about: "Number of messages, if it is known.") { $0.count },
        ]
    )

    private static let rolloutMembers: [JSONMember<PlanNotice>] = [
        .optional(
            "stages",
            .list(of: .object(stage)),
            about: "Stages of the send, in order.",
            requiredIf: notice([.rollout])
        ) { $0.rollout?.stages },
        .optional(
            "stage",
            .count,
            about: "Position of the stage that is sent next, from 0.",
            requiredIf: notice([.rollout])
        ) { $0.rollout?.present },
        .optional(
            "pause",
            .integer,
            about: "Seconds between two stages.",
            requiredIf: notice([.rollout])
        ) { $0.rollout?.pause },
    ]

    private static let stage = JSONShape<PlannedRollout.Stage>(
        "A stage of a rollout.",
        [
            .required("stage", .text, about: "Its name, such as `10%`.") { $0.stage.name },
            .optional("count", .count, about: "Number of its requests, if it is known.") {
                $0.count
            },
        ]
    )

    private static let sourceMembers: [JSONMember<PlanNotice>] = [
        .optional(
            "source",
            .text,
            about: "Name of the source that was not read.",
            requiredIf: notice([.unreadSource])
        ) { $0.unreadSource?.source.rawValue },
        .optional(
            "campaigns",
            .list(of: .text),
            about: "Campaigns that are not planned.",
            requiredIf: notice([.unreadSource])
        ) { $0.unreadSource?.campaigns.map(\.rawValue) },
        .optional(
            "audiences",
            .list(of: .text),
            about: "Audiences that are not planned.",
            requiredIf: notice([.unreadSource])
        ) { $0.unreadSource?.audiences.map(\.rawValue) },
    ]

    private static func notice(_ kinds: [PlanNotice.Kind]) -> JSONCondition {
        JSONCondition("notice", isOneOf: kinds)
    }
}

extension PlanNotice {
    /// The names of notices in the JSON plan.
    ///
    /// Their meanings never change.
    fileprivate enum Kind: String, CaseIterable {
        case authorWins = "author-wins"
        case dataPriorityOnApple = "data-priority-on-apple"
        case leavesOut = "leaves-out"
        case skippedLocalTime = "skipped-local-time"
        case doubledLocalTime = "doubled-local-time"
        case unknownFormerName = "unknown-former-name"
        case deadRegistrations = "dead-registrations"
        case optedOutRegistrations = "opted-out-registrations"
        case deadMembers = "dead-members"
        case refusedMembers = "refused-members"
        case externalMembers = "foreign-members"
        case optedOutMembers = "opted-out-members"
        case leftUpstream = "left-upstream"
        case replies
        case openLeaves = "open-leaves"
        case createsTopic = "creates-topic"
        case mayReturn = "may-return"
        case mayReceiveTwice = "may-receive-twice"
        case removalIsDone = "removal-is-done"
        case settles
        case waitsForFanOut = "waits-for-fan-out"
        case fanOutOfUnknownReach = "fan-out-of-unknown-reach"
        case editedList = "edited-list"
        case unknownOutcomes = "unknown-outcomes"
        case quietHours = "quiet-hours"
        case capped
        case exemptFromCap = "exempt-from-cap"
        case countedFanOut = "counted-fan-out"
        case rollout
        case unreadSource = "unread-source"
        case approvals
    }

    fileprivate var kind: Kind {
        switch self {
        case .authorWins: .authorWins
        case .dataPriorityOnApple: .dataPriorityOnApple
        case .leavesOut: .leavesOut
        case .skippedLocalTime: .skippedLocalTime
        case .doubledLocalTime: .doubledLocalTime
        case .unknownFormerName: .unknownFormerName
        case .deadRegistrations: .deadRegistrations
        case .optedOutRegistrations: .optedOutRegistrations
        case .deadMembers: .deadMembers
        case .refusedMembers: .refusedMembers
        case .externalMembers: .externalMembers
        case .optedOutMembers: .optedOutMembers
        case .leftUpstream: .leftUpstream
        case .replies: .replies
        case .openLeaves: .openLeaves
        case .createsTopic: .createsTopic
        case .mayReturn: .mayReturn
        case .mayReceiveTwice: .mayReceiveTwice
        case .removalIsDone: .removalIsDone
        case .settles: .settles
        case .waitsForFanOut: .waitsForFanOut
        case .fanOutOfUnknownReach: .fanOutOfUnknownReach
        case .editedList: .editedList
        case .unknownOutcomes: .unknownOutcomes
        case .quietHours: .quietHours
        case .capped: .capped
        case .exemptFromCap: .exemptFromCap
        case .countedFanOut: .countedFanOut
        case .rollout: .rollout
        case .unreadSource: .unreadSource
        case .approvals: .approvals
        }
    }

    fileprivate var audience: AudienceID? {
        if case .removalIsDone(let audience) = self { audience } else { scope?.audience }
    }

    fileprivate var occurrence: OccurrenceID? {
        switch self {
        case .settles(let occurrence, _), .waitsForFanOut(let occurrence, _),
            .fanOutOfUnknownReach(let occurrence), .editedList(let occurrence, _),
            .unknownOutcomes(let occurrence, _), .quietHours(let occurrence, _),
            .capped(let occurrence, _, _), .countedFanOut(let occurrence, _),
            .rollout(let occurrence, _):
            occurrence
        case .authorWins, .dataPriorityOnApple, .leavesOut, .skippedLocalTime, .doubledLocalTime,
            .unknownFormerName, .deadRegistrations, .optedOutRegistrations, .deadMembers,
            .refusedMembers, .externalMembers, .leftUpstream, .optedOutMembers, .openLeaves,
            .createsTopic, .mayReturn,
            .mayReceiveTwice, .replies, .removalIsDone, .exemptFromCap, .unreadSource, .approvals:
            nil
        }
    }

    fileprivate var count: Int? {
        switch self {
        case .deadRegistrations(_, let count, _), .optedOutRegistrations(_, let count, _),
            .deadMembers(_, let count), .leftUpstream(_, let count),
            .refusedMembers(_, let count), .externalMembers(_, let count),
            .optedOutMembers(_, let count), .openLeaves(_, let count), .mayReturn(_, let count),
            .mayReceiveTwice(_, _, let count), .replies(_, let count),
            .unknownOutcomes(_, let count),
            .capped(_, let count, _), .countedFanOut(_, let count):
            count
        case .quietHours(_, let effect): effect.count
        case .approvals(let planned): planned.required?.need
        case .authorWins, .dataPriorityOnApple, .leavesOut, .skippedLocalTime, .doubledLocalTime,
            .unknownFormerName, .createsTopic, .removalIsDone, .settles, .waitsForFanOut,
            .fanOutOfUnknownReach, .editedList, .exemptFromCap, .rollout, .unreadSource:
            nil
        }
    }

    /// The number of registrations or people of which `count` is a part.
    fileprivate var total: Int? {
        switch self {
        case .deadRegistrations(_, _, let total), .optedOutRegistrations(_, _, let total),
            .capped(_, _, let total):
            total
        case .authorWins, .dataPriorityOnApple, .leavesOut, .skippedLocalTime, .doubledLocalTime,
            .unknownFormerName, .deadMembers, .refusedMembers, .externalMembers, .leftUpstream,
            .optedOutMembers, .openLeaves, .createsTopic, .mayReturn, .mayReceiveTwice, .replies,
            .removalIsDone, .settles, .waitsForFanOut, .fanOutOfUnknownReach, .editedList,
            .unknownOutcomes, .quietHours, .exemptFromCap, .countedFanOut, .rollout,
            .unreadSource, .approvals:
            nil
        }
    }

    fileprivate var seconds: Int64? {
        switch self {
        case .settles(_, let seconds), .waitsForFanOut(_, let seconds): seconds
        case .authorWins, .dataPriorityOnApple, .leavesOut, .skippedLocalTime, .doubledLocalTime,
            .unknownFormerName, .deadRegistrations, .optedOutRegistrations, .deadMembers,
            .refusedMembers, .externalMembers, .leftUpstream, .optedOutMembers, .openLeaves,
            .createsTopic, .mayReturn,
            .mayReceiveTwice, .replies, .removalIsDone, .fanOutOfUnknownReach, .editedList,
            .unknownOutcomes, .quietHours, .capped, .exemptFromCap, .countedFanOut, .rollout,
            .unreadSource, .approvals:
            nil
        }
    }

    fileprivate var quietEffect: QuietEffect? {
        if case .quietHours(_, let effect) = self { effect } else { nil }
    }

    fileprivate var quietZones: [QuietEffect.Zone]? {
        quietEffect.flatMap { $0.kind == .zones ? $0.zones : nil }
    }

    fileprivate var leftOut: Int? {
        quietEffect.flatMap { $0.leftOut > 0 ? $0.leftOut : nil }
    }

    fileprivate var rollout: PlannedRollout? {
        if case .rollout(_, let rollout) = self { rollout } else { nil }
    }

    fileprivate var unreadSource: UnreadSource? {
        if case .unreadSource(let source) = self { source } else { nil }
    }

    fileprivate var editedList: EditedList? {
        if case .editedList(_, let list) = self { list } else { nil }
    }
}

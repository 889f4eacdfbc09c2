@testable import Planning

// The cases of types that cannot list them. The switches fail to compile for a new case, and a test
// then requires its golden file.

enum StepName: CaseIterable {
    case send, handOver, resume, lapse, paused, held, rename, schedule, reschedule, expire, skip,
        miss
    case unschedule, outlive, redefine, alreadySent, lowered, ended, stopped, cancel, retire
    case correct, uncorrectable, answer
    case unchanged
}

extension CampaignStep {
    var name: StepName {
        switch self {
        case .send: .send
        case .handOver: .handOver
        case .resume: .resume
        case .lapse: .lapse
        case .paused: .paused
        case .held: .held
        case .rename: .rename
        case .schedule: .schedule
        case .reschedule: .reschedule
        case .expire: .expire
        case .skip: .skip
        case .miss: .miss
        case .unschedule: .unschedule
        case .outlive: .outlive
        case .redefine: .redefine
        case .alreadySent: .alreadySent
        case .lowered: .lowered
        case .ended: .ended
        case .stopped: .stopped
        case .cancel: .cancel
        case .retire: .retire
        case .correct: .correct
        case .uncorrectable: .uncorrectable
        case .answer: .answer
        case .unchanged: .unchanged
        }
    }
}

enum NoticeName: CaseIterable {
    case authorWins, dataPriorityOnApple, leavesOut, skippedLocalTime, doubledLocalTime
    case unknownFormerName, deadRegistrations, optedOutRegistrations, deadMembers, refusedMembers,
        externalMembers
    case optedOutMembers, leftUpstream, replies, openLeaves, createsTopic, mayReturn
    case mayReceiveTwice
    case removalIsDone, settles, waitsForFanOut, fanOutOfUnknownReach, editedList, unknownOutcomes
    case quietHours, capped, exemptFromCap, countedFanOut, rollout, unreadSource, approvals
}

extension PlanNotice {
    var name: NoticeName {
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
}

enum VerdictName: CaseIterable {
    case acknowledged, refused, bypassed
}

extension GuardVerdict {
    var name: VerdictName {
        switch self {
        case .acknowledged: .acknowledged
        case .refused: .refused
        case .bypassed: .bypassed
        }
    }
}

enum RefusalName: CaseIterable {
    case tooManyRecipients, unknownReach, tooMuchChange, tooManyCancelled, shrunkList, testAudience
    case tooManySends, otherProject, foreignServer, fixedClock, notReviewed, nobodyConfirms
}

extension GuardRefusal {
    var name: RefusalName {
        switch self {
        case .tooManyRecipients: .tooManyRecipients
        case .unknownReach: .unknownReach
        case .tooMuchChange: .tooMuchChange
        case .tooManyCancelled: .tooManyCancelled
        case .shrunkList: .shrunkList
        case .testAudience: .testAudience
        case .tooManySends: .tooManySends
        case .otherProject: .otherProject
        case .foreignServer: .foreignServer
        case .fixedClock: .fixedClock
        case .notReviewed: .notReviewed
        case .nobodyConfirms: .nobodyConfirms
        }
    }
}

enum AudienceName: CaseIterable {
    case topic, condition, list, listAtSend, group
}

extension PlannedAudience {
    var name: AudienceName {
        switch self {
        case .topic: .topic
        case .condition: .condition
        case .list: .list
        case .listAtSend: .listAtSend
        case .group: .group
        }
    }
}

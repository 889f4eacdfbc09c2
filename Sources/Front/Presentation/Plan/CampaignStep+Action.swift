import CampaignModel
import Planning
import State
import Time

extension CampaignStep {
    /// The names of actions in the JSON plan.
    ///
    /// Their meanings never change.
    enum Action: String, CaseIterable {
        case send
        case handOver = "hand_over"
        case resume
        case lapse
        case paused
        case held
        case schedule
        case reschedule
        case redefine
        case expire
        case skip
        case miss
        case unschedule
        case lowered
        case stopped
        case rename
        case cancel
        case alreadySent = "already_sent"
        case ended
        case retire
        case correct
        case nothingToCorrect = "nothing_to_correct"
        case answer
        case unchanged
    }

    var action: Action {
        switch self {
        case .send: .send
        case .handOver: .handOver
        case .resume: .resume
        case .lapse: .lapse
        case .schedule: .schedule
        case .reschedule: .reschedule
        case .paused: .paused
        case .held: .held
        case .rename: .rename
        case .expire, .outlive: .expire
        case .skip: .skip
        case .miss: .miss
        case .unschedule: .unschedule
        case .lowered: .lowered
        case .ended: .ended
        case .redefine: .redefine
        case .alreadySent: .alreadySent
        case .stopped: .stopped
        case .cancel: .cancel
        case .retire: .retire
        case .correct: .correct
        case .uncorrectable: .nothingToCorrect
        case .answer: .answer
        case .unchanged: .unchanged
        }
    }

    /// The send that starts, resumes, waits or ends.
    var send: SendStep? {
        switch self {
        case .send(let send), .handOver(let send), .resume(let send), .lapse(let send),
            .paused(let send, _), .held(let send, _):
            send
        case .rename, .schedule, .reschedule, .expire, .skip, .miss, .unschedule, .outlive,
            .redefine, .alreadySent, .lowered, .ended, .stopped, .cancel, .retire, .correct,
            .uncorrectable, .answer, .unchanged:
            nil
        }
    }

    var occurrence: OccurrenceID? {
        switch self {
        case .send(let send), .handOver(let send), .resume(let send), .lapse(let send),
            .paused(let send, _), .held(let send, _):
            send.occurrence
        case .schedule(let id, _), .expire(let id, _), .skip(let id, _), .outlive(let id, _),
            .reschedule(let id, _, _), .stopped(let id, _), .unschedule(let id, _):
            id
        case .cancel(let cancelled): cancelled.occurrence
        case .correct(let correction): correction.occurrence
        case .uncorrectable(let nothing): nothing.occurrence
        case .rename, .miss, .redefine, .alreadySent, .lowered, .ended, .retire, .answer,
            .unchanged:
            nil
        }
    }

    var due: Instant? {
        switch self {
        case .send(let send), .handOver(let send), .resume(let send), .lapse(let send),
            .paused(let send, _), .held(let send, _):
            send.due
        case .schedule(_, let moment), .expire(_, let moment), .skip(_, let moment),
            .outlive(_, let moment), .reschedule(_, _, let moment), .redefine(_, let moment):
            moment.instant
        case .rename, .miss, .unschedule, .alreadySent, .lowered, .ended, .stopped, .cancel,
            .retire, .correct, .uncorrectable, .answer, .unchanged:
            nil
        }
    }

    /// The due time in the state, if the occurrence is moved or cancelled.
    var recordedDue: Instant? {
        switch self {
        case .reschedule(_, let due, _), .unschedule(_, let due): due
        case .cancel(let cancelled): cancelled.due
        case .send, .handOver, .resume, .lapse, .paused, .held, .rename, .schedule, .expire, .skip,
            .miss, .outlive, .redefine, .alreadySent, .lowered, .ended, .stopped, .retire, .correct,
            .uncorrectable, .answer, .unchanged:
            nil
        }
    }

    /// Number of requests that remain.
    var remaining: Int? {
        switch self {
        case .cancel(let cancelled): cancelled.unsent
        case .correct(let correction): correction.count
        default: send?.remaining
        }
    }

    var missed: MissedSlots? {
        if case .miss(let missed) = self { missed } else { nil }
    }
}

extension NothingToCorrect {
    /// Nil if no occurrence was sent.
    fileprivate var occurrence: OccurrenceID? {
        if case .occurrence(let id) = corrected { id } else { nil }
    }
}

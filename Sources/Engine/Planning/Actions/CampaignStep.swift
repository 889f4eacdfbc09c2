package import CampaignMessages
package import CampaignModel
package import State
package import Time

package indirect enum CampaignStep: Hashable, Sendable {
    case send(SendStep)
    /// Records a send that is due, so that a service sends it: `sends: run` of the environment.
    case handOver(SendStep)
    /// Resumes an occurrence that an earlier run started.
    case resume(SendStep)
    /// The message of an occurrence that an earlier run started has expired: the rest is not sent.
    case lapse(SendStep)
    /// A send that would start or resume waits because of a pause.
    case paused(SendStep, Pause)
    /// An earlier run stopped this occurrence until a person has checked it.
    case held(SendStep, Hold)
    /// The campaign's old name: its definition and occurrences continue under the new one.
    case rename(from: CampaignID)
    case schedule(OccurrenceID, ScheduledMoment)
    case reschedule(OccurrenceID, from: Instant, to: ScheduledMoment)
    /// The occurrence is too late: nothing is sent.
    case expire(OccurrenceID, ScheduledMoment)
    /// The occurrence is too late, and its author declared that this is not a failure.
    case skip(OccurrenceID, ScheduledMoment)
    /// Slots of a rule passed without a send.
    case miss(MissedSlots)
    /// The schedule or revision of this occurrence no longer exists: it is cancelled.
    case unschedule(OccurrenceID, due: Instant)
    /// The message has expired: nothing is sent.
    case outlive(OccurrenceID, ScheduledMoment)
    /// Changed before its due time; it stays scheduled.
    case redefine(OccurrenceID, ScheduledMoment)
    /// Changed after it was sent: it is not sent again.
    case alreadySent
    /// Its revision is lower than one that was sent: nothing is sent.
    case lowered(Int, sent: Int)
    /// Changed, and its rule makes no later slot.
    case ended
    /// The send stopped at an unknown outcome, which only a person can resolve.
    case stopped(OccurrenceID, unknown: Int)
    /// Removed from the files before its due time, or during its send.
    case cancel(CancelledSend)
    /// Removed from the files after it was sent; its history stays.
    case retire
    /// Replaces the notifications of another campaign's occurrence.
    case correct(PlannedCorrection)
    /// The campaign corrects another one, of which there is nothing to correct.
    case uncorrectable(NothingToCorrect)
    /// From now on, messages of devices that match the rule are answered with its text.
    case answer(UpstreamRule)
    case unchanged

    package var isStopped: Bool {
        if case .stopped = self { true } else { false }
    }

    package var isPaused: Bool {
        if case .paused = self { true } else { false }
    }

    package var isHeld: Bool {
        if case .held = self { true } else { false }
    }

    /// The occurrence that an apply starts or resumes.
    package var began: SendStep? {
        switch self {
        case .send(let send), .resume(let send): send
        case .handOver, .lapse, .paused, .held, .rename, .schedule, .reschedule, .expire, .skip,
            .miss, .unschedule, .outlive, .redefine, .alreadySent, .lowered, .ended, .stopped,
            .cancel, .retire, .correct, .uncorrectable, .answer, .unchanged:
            nil
        }
    }

    /// The occurrence that an apply hands over to a service.
    package var handedOver: SendStep? {
        if case .handOver(let send) = self { send } else { nil }
    }

    /// Whether an occurrence becomes or stays scheduled, and the action changes it.
    package var isScheduling: Bool {
        switch self {
        case .schedule, .reschedule, .redefine: true
        case .send, .handOver, .resume, .lapse, .paused, .held, .rename, .expire, .skip, .miss,
            .unschedule, .outlive, .alreadySent, .lowered, .ended, .stopped, .cancel, .retire,
            .correct, .uncorrectable, .answer, .unchanged:
            false
        }
    }

    /// Whether the action needs a person first.
    package var isWaiting: Bool {
        switch self {
        case .stopped, .paused, .held: true
        case .send, .handOver, .resume, .lapse, .rename, .schedule, .reschedule, .expire, .skip,
            .miss, .unschedule, .outlive, .redefine, .alreadySent, .lowered, .ended, .cancel,
            .retire, .correct, .uncorrectable, .answer, .unchanged:
            false
        }
    }

    /// Whether a due time passed without a send.
    var missesDueTime: Bool {
        switch self {
        case .expire, .skip, .miss, .outlive: true
        case .send, .handOver, .resume, .lapse, .paused, .held, .rename, .schedule, .reschedule,
            .unschedule, .redefine, .alreadySent, .lowered, .ended, .stopped, .cancel, .retire,
            .correct, .uncorrectable, .answer, .unchanged:
            false
        }
    }

    /// Whether the occurrence has started: later changes to the files do not affect it.
    package var isUnderWay: Bool {
        switch self {
        case .resume, .lapse, .stopped, .held: true
        case .paused(let send, _): send.unit != nil
        case .send, .handOver, .rename, .schedule, .reschedule, .expire, .skip, .miss, .unschedule,
            .outlive, .redefine, .alreadySent, .lowered, .ended, .cancel, .retire, .correct,
            .uncorrectable, .answer, .unchanged:
            false
        }
    }

    /// The key of the sent or scheduled message.
    package var deduplicationKey: DeduplicationKey? {
        switch self {
        case .send(let send), .handOver(let send), .resume(let send), .lapse(let send),
            .paused(let send, _), .held(let send, _):
            send.deduplicationKey
        case .schedule(let id, _), .reschedule(let id, _, _): DeduplicationKey(of: id)
        case .rename, .expire, .skip, .miss, .unschedule, .outlive, .redefine, .alreadySent,
            .lowered, .ended, .stopped, .cancel, .retire, .correct, .uncorrectable, .answer,
            .unchanged:
            nil
        }
    }
}

/// An occurrence whose rest is not sent: its campaign was removed from the files, or its rollout was ended.
package struct CancelledSend: Hashable, Sendable {
    package let occurrence: OccurrenceID
    package let due: Instant
    /// Number of requests that are not sent; nil if the send has not begun.
    package let unsent: Int?
    /// Whether a person ended its rollout; the campaign stays.
    package var isEnded = false
}

extension CancelledSend {
    init(_ record: OccurrenceRecord, isEnded: Bool = false) {
        occurrence = record.id
        due = record.due
        unsent = record.unit.map { $0.tally[.intended] + $0.tally[.returned] }
        self.isEnded = isEnded
    }
}

/// Slots of a rule that were due but are not sent.
package struct MissedSlots: Hashable, Sendable {
    package struct Slot: Hashable, Sendable {
        package let occurrence: OccurrenceID
        package let due: Instant
    }

    /// The slots that are recorded as expired: those in the state, or otherwise the last one.
    package let occurrences: [Slot]
    /// At most `maximumCount`; at that value, there may be more.
    package let count: Int
    package let first: Instant
    package let last: Instant
    /// Whether the author wants it to count as a failure.
    package let isFailure: Bool
    /// Whether a later slot is sent instead.
    package let isSuperseded: Bool

    /// The missed slots of several parts of a campaign; `parts` is not empty.
    package static func merged(_ parts: [MissedSlots]) -> MissedSlots {
        MissedSlots(
            occurrences: parts.flatMap(\.occurrences),
            count: min(parts.reduce(0) { $0 + $1.count }, maximumCount),
            first: parts.map(\.first).min() ?? .latest,
            last: parts.map(\.last).max() ?? .latest,
            isFailure: parts.contains(where: \.isFailure),
            isSuperseded: parts.allSatisfy(\.isSuperseded)
        )
    }

    /// The highest count: a week of minutes.
    package static let maximumCount = 10_080
}

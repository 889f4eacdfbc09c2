package import CampaignMessages
package import CampaignModel
package import Planning
package import State
package import Time

/// An occurrence in progress.
package struct ActiveOccurrence: Sendable {
    package let occurrence: OccurrenceID
    package let due: Instant
    package let unit: WorkUnitRecord
    /// The requests that may be sent, including those that are skipped.
    package let requests: RequestRanges
    package let skipped: SkippedRequests
    package let message: MessageTemplate
    package let policy: SendPolicy
    /// Of occurrences with the same due time, the one with the higher priority goes first.
    package let priority: Int
    /// The wrong-list check.
    package let trial: WrongListDetector?
    /// The key of the addressed device group.
    package var groupKey: String?
    /// The quiet hours that interrupt the send; nil if they do not.
    package let hold: QuietHold?
    /// When a day ends for the first of its people; nil if no frequency cap depends on it.
    package let dayEnd: Instant?
    /// When quiet hours begin for the first of those who get a message now; nil if they do not
    /// depend on the time zones of people.
    package let night: Instant?
    /// When quiet hours end for the first recipients who wait; nil if none waits.
    package let resumption: Instant?
    /// Whether it is too late for some people, which is a failure.
    package let isPartlyLate: Bool
    /// The stage that is sent; nil unless it is sent in stages.
    package let rollout: ActiveRollout?

    package init(
        occurrence: OccurrenceID,
        due: Instant,
        unit: WorkUnitRecord,
        requests: RequestRanges,
        skipped: SkippedRequests,
        message: MessageTemplate,
        policy: SendPolicy,
        trial: WrongListDetector?,
        priority: Int = 0,
        groupKey: String? = nil,
        hold: QuietHold? = nil,
        dayEnd: Instant? = nil,
        night: Instant? = nil,
        resumption: Instant? = nil,
        isPartlyLate: Bool = false,
        rollout: ActiveRollout? = nil
    ) {
        self.occurrence = occurrence
        self.due = due
        self.unit = unit
        self.requests = requests
        self.skipped = skipped
        self.message = message
        self.policy = policy
        self.priority = priority
        self.trial = trial
        self.groupKey = groupKey
        self.hold = hold
        self.dayEnd = dayEnd
        self.night = night
        self.resumption = resumption
        self.isPartlyLate = isPartlyLate
        self.rollout = rollout
    }

    /// Returns the occurrence without the end of the day and the beginning of the night.
    package func endless() -> ActiveOccurrence {
        ActiveOccurrence(
            occurrence: occurrence,
            due: due,
            unit: unit,
            requests: requests,
            skipped: skipped,
            message: message,
            policy: policy,
            trial: trial,
            priority: priority,
            groupKey: groupKey,
            hold: hold,
            resumption: resumption,
            isPartlyLate: isPartlyLate,
            rollout: rollout
        )
    }

    /// When the first of its requests must be decided about again.
    package var decision: Instant? { [dayEnd, night].compactMap(\.self).min() }

    /// Whether a time has come, or so nearly that new requests might be sent after it.
    func isOver(_ end: Instant?, at now: Instant) -> Bool {
        end.map { now.advanced(bySeconds: 1) >= $0 } ?? false
    }
}

/// The present stage of an occurrence that is sent in stages.
package struct ActiveRollout: Sendable {
    package let record: RolloutRecord
    /// The answers that earlier runs got in the stage.
    package let answers: RolloutGuard
    /// The number of the stage of each request.
    package let stages: [UInt8]

    package init(_ record: RolloutRecord, answers: RolloutGuard, stages: [UInt8]) {
        self.record = record
        self.answers = answers
        self.stages = stages
    }
}

package struct DispatchResult: Sendable {
    package let end: DispatchMachine.End
    /// When the rest may be sent that waits for the end of quiet hours; nil if none does.
    package var rest: Instant?
    /// The requests of that rest, in ascending order.
    package var waiting: [Int] = []
    /// Whether the rest is the next stage of a rollout.
    package var isBetweenStages = false
    /// Retried requests that now have their final outcome, at most 1,000.
    package let repeated: [RequestOutcome]
    package let repeatedCount: Int

    package init(end: DispatchMachine.End, repeated: [RequestOutcome], repeatedCount: Int) {
        self.end = end
        self.repeated = repeated
        self.repeatedCount = repeatedCount
    }

    /// Whether what waits for the end of quiet hours can be sent after this end.
    package var mayGoOn: Bool { end == .complete || end == .expired }

    /// Returns the same with another end.
    package func ending(with end: DispatchMachine.End) -> DispatchResult {
        DispatchResult(end: end, repeated: repeated, repeatedCount: repeatedCount)
    }

    /// Returns the result of both dispatches of one occurrence.
    package func followed(by next: DispatchResult) -> DispatchResult {
        DispatchResult(
            end: next.end,
            repeated: Array((repeated + next.repeated).prefix(Self.listed)),
            repeatedCount: repeatedCount + next.repeatedCount
        )
    }

    /// The maximum number of retried requests.
    static let listed = 1_000
}

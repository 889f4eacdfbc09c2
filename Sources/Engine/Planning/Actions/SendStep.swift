package import CampaignMessages
package import CampaignModel
package import RegistrationLists
package import State
package import Time

/// One occurrence that is due.
///
/// A class, because many copies of it are made.
package final class SendStep: Sendable {
    package let occurrence: OccurrenceID
    package let due: Instant
    package let target: SendStepTarget
    package let template: MessageTemplate
    /// The work unit, if an earlier run opened one.
    package let unit: WorkUnitRecord?
    /// Number of requests that remain, without those that are skipped; 0 if it is known only when the
    /// send begins.
    package let remaining: Int
    /// The policy in the campaign's files.
    package let policy: SendPolicy
    /// The priority of the campaign.
    package let priority: Int
    /// The key in the message, stored with the occurrence; nil if Herald sets no key.
    package let deduplicationKey: DeduplicationKey?
    /// Whether the ids of accepted messages are recorded (`record: ids`) from the start of the
    /// send.
    package let keepsIDs: Bool
    /// The numbers of the requests to dead registrations, ascending; these requests are skipped.
    package let dead: [Int]
    /// The numbers of the requests to people that are held out, ascending; these are skipped, too.
    package let heldOut: [Int]
    /// The text of each request; nil if all have the campaign's own.
    package let texts: RequestTexts?
    /// Nil if quiet hours do not hold the send.
    package let hold: QuietHold?
    /// Nil unless the rows of its list have time zones, in which quiet hours hold them.
    package let recipients: RecipientHours?
    /// Nil if the environment has no frequency cap.
    package let caps: SendCaps?
    /// Nil unless the campaign compares arms.
    package let experiment: SendExperiment?
    /// Nil unless it is sent in stages.
    package let rollout: RolloutRecord?
    /// The stages with the numbers of their requests; nil without stages, or if the list is read when the send
    /// begins.
    package let stages: [PlannedRollout.Stage]?
    /// Whether a fleet has sent a part since the step was planned, so that the target, `dead` and `heldOut`
    /// are those of more requests.
    package let isAdopted: Bool

    init(
        occurrence: OccurrenceID,
        due: Instant,
        target: SendStepTarget,
        template: MessageTemplate,
        unit: WorkUnitRecord?,
        remaining: Int,
        policy: SendPolicy,
        priority: Int = 0,
        deduplicationKey: DeduplicationKey?,
        keepsIDs: Bool = false,
        dead: [Int] = [],
        heldOut: [Int] = [],
        texts: RequestTexts? = nil,
        hold: QuietHold? = nil,
        recipients: RecipientHours? = nil,
        caps: SendCaps? = nil,
        experiment: SendExperiment? = nil,
        rollout: RolloutRecord? = nil,
        stages: [PlannedRollout.Stage]? = nil,
        isAdopted: Bool = false
    ) {
        self.occurrence = occurrence
        self.due = due
        self.target = target
        self.template = template
        self.unit = unit
        self.remaining = remaining
        self.policy = policy
        self.priority = priority
        self.deduplicationKey = deduplicationKey
        self.keepsIDs = keepsIDs
        self.dead = dead
        self.heldOut = heldOut
        self.texts = texts
        self.hold = hold
        self.recipients = recipients
        self.caps = caps
        self.experiment = experiment
        self.rollout = rollout
        self.stages = stages
        self.isAdopted = isAdopted
    }

    /// The same send with its work unit as it is now, after a fleet has sent a part.
    package func with(_ unit: WorkUnitRecord) -> SendStep {
        SendStep(
            occurrence: occurrence,
            due: due,
            target: target,
            template: template,
            unit: unit,
            remaining: unit.tally[.intended] + unit.tally[.returned],
            policy: policy,
            priority: priority,
            deduplicationKey: deduplicationKey,
            keepsIDs: keepsIDs,
            dead: dead,
            heldOut: heldOut,
            texts: texts,
            hold: hold,
            recipients: recipients,
            caps: caps,
            experiment: experiment,
            rollout: rollout,
            stages: stages,
            isAdopted: true
        )
    }
}

extension SendStep {
    /// The numbers of the requests that are skipped, ascending.
    package var skipped: [Int] { heldOut.isEmpty ? dead : (dead + heldOut).sorted() }
}

extension SendStep: Hashable {
    package static func == (one: SendStep, other: SendStep) -> Bool {
        one === other || one.isSameSend(as: other) && one.isSentAlike(other)
    }

    private func isSameSend(as other: SendStep) -> Bool {
        occurrence == other.occurrence && due == other.due && target == other.target
            && template == other.template && unit == other.unit && remaining == other.remaining
            && dead == other.dead && heldOut == other.heldOut && texts == other.texts
    }

    private func isSentAlike(_ other: SendStep) -> Bool {
        policy == other.policy && priority == other.priority
            && deduplicationKey == other.deduplicationKey
            && keepsIDs == other.keepsIDs && hold == other.hold && recipients == other.recipients
            && caps == other.caps && experiment == other.experiment
            && rollout == other.rollout && stages == other.stages
            && isAdopted == other.isAdopted
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(occurrence)
        hasher.combine(due)
    }
}

package enum SendStepTarget: Hashable, Sendable {
    case topic(Topic)
    case condition(String)
    case group(DeviceGroupName)
    /// A list that is read when the send starts and stays in the state until its end.
    ///
    /// The fingerprints are those of the live registrations.
    case list(ListContent, ListID, fingerprints: [Fingerprint])
    /// The rows of a list that the occurrence addresses; they become a separate list when the
    /// send begins.
    case part(ListPart, fingerprints: [Fingerprint])
    /// A list that nothing has read yet: it is read when the send begins.
    indirect case listAtSend(ListAtSend)
    /// The rest of a list that an earlier run stored: intended requests, without dead
    /// registrations.
    case stored(ListID, fingerprints: [Fingerprint])
}

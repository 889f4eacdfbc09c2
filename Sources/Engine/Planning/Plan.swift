package import CampaignMessages
package import CampaignModel
package import JSON
package import RegistrationLists
package import State
package import Time

/// Everything that an apply would do, with all data for doing it.
///
/// Every plan can be applied.
package struct Plan: Sendable {
    package let project: ProjectID
    package let environment: EnvironmentID
    package let lineage: StateLineage
    /// The time for which the plan was made.
    package let now: Instant
    /// In the order of the audiences; all leaves happen before the first join.
    package let memberships: [MembershipChange]
    /// In the order of the files, followed by removed campaigns by name.
    ///
    /// A campaign has several actions if several of its occurrences are affected.
    package let campaigns: [CampaignAction]
    package var notices: [PlanNotice]
    /// How long sends to a topic wait after joins to it.
    package var settling = SettleDelay.none
    /// The project's time zone, as an IANA name.
    package var timeZone = "UTC"
    /// Known facts about topics before anything is sent.
    package var topics: [Topic: PlannedTopic] = [:]
    /// The quotas that the environment may use.
    package var pace = Pace.standard
    /// The results of the guards, in the order of their cases.
    ///
    /// `plan` shows them. An apply with a refusal does nothing.
    package var guards: [GuardOutcome] = []
    /// Number of campaigns that `--only` and `--except` excluded from the plan.
    package var leftOut = 0
    /// Whether the plan covers all campaigns and audiences.
    package var isWhole = true
    /// The memberships that the files want, even if nothing needs to change.
    package var wantedMemberships: [MembershipScope: WantedMembership] = [:]
    /// The values of `--only` and `--except`.
    package var selectors = Selectors()
    /// The records that guards compare with later plans, once this plan is applied.
    package var guardRecords: [DefinitionChange] = []
    /// The serial of the state that the plan was made from.
    package var serial = StateSerial(number: 0)
    /// The part of the plan that a reviewer approves.
    package var reviewed = ReviewedPlan.nothing

    package var digest: PlanDigest { PlanDigest(hash: reviewed.hash, serial: serial) }

    /// Whether an apply would send, change or record anything.
    package var hasChanges: Bool {
        !memberships.isEmpty || campaigns.contains { $0.step != .unchanged && !$0.step.isWaiting }
    }

    /// The sends that are due, in order.
    package var sends: [SendStep] {
        inOrder(
            campaigns.compactMap {
                switch $0.step {
                case .send(let send), .resume(let send): send
                default: nil
                }
            }
        )
    }
}

/// The joins and leaves of one audience in one topic.
package struct MembershipChange: Hashable, Sendable {
    package let scope: MembershipScope
    /// Nil if the audience was removed; it then has no joins.
    package let list: RegistrationList?
    /// In list order; members that are already in the topic according to FCM are recorded without a
    /// request.
    package let joins: [Fingerprint]
    /// Whether opted-out members are joined again.
    package var rejoins = false
    /// Sorted.
    ///
    /// They leave the topic, because no other audience wants them there.
    package let leaves: [Fingerprint]
    /// Sorted.
    ///
    /// They stop being this audience's members without a request. Another audience keeps them in
    /// the topic, they are external or opted out, or FCM had refused them.
    package let forgotten: [Fingerprint]
    /// Sorted.
    ///
    /// They become this audience's members without a request, with the status that another audience
    /// recorded: external or opted out.
    package var noted: [Fingerprint] = []
    /// The desired membership.
    package var aim = MembershipGoal.nobody
    /// How the change is requested; the plan is the same either way.
    package var transport = MembershipTransportChoice.auto

    var isEmpty: Bool {
        joins.isEmpty && leaves.isEmpty && forgotten.isEmpty && noted.isEmpty
    }
}

/// The action for one campaign, or for one of its occurrences.
package struct CampaignAction: Hashable, Sendable {
    package let campaign: CampaignID
    package let step: CampaignStep
    /// The definition to record; nil if the campaign was removed or its definition is unchanged.
    package let definition: CampaignDefinition?
    /// Fields that differ from the last recorded definition.
    package let changes: [FieldChange]
    /// The campaign's recipients and message in the files; nil if it was removed.
    package var audience: PlannedAudience?
    package var template: MessageTemplate?
    /// The time from which the rule makes slots, if only that time changes and the definition
    /// stays.
    package var slotsAfter: Instant?
    /// The campaign in the files; nil if it was removed.
    @Indirect package var source: Campaign?
    /// The content of the last recorded definition; nil if there is none or it is unchanged.
    package var recorded: JSONValue?
}

/// Known facts about a topic's subscribers before anything is sent.
package struct PlannedTopic: Hashable, Sendable {
    package struct Kept: Hashable, Sendable {
        package let audience: AudienceID
        /// Number of registrations in its list.
        package let count: Int

        package init(audience: AudienceID, count: Int) {
            self.audience = audience
            self.count = count
        }
    }

    /// The reach that the project declares.
    package let reach: Int?
    /// The audiences that are kept subscribed, in the order of the project.
    package var kept: [Kept]
    /// Number of distinct registrations in all their lists, which the topic has at least; nil if
    /// there is no list.
    package var keptCount: Int?

    package init(reach: Int?, kept: [Kept] = [], keptCount: Int? = nil) {
        self.reach = reach
        self.kept = kept
        self.keptCount = keptCount ?? kept.map(\.count).max()
    }

    /// The declared reach, or the number of managed members if that is larger.
    ///
    /// Nil without a declared reach: apps subscribe by themselves, so the total is unknown.
    package var size: Int? {
        reach.map { max($0, keptCount ?? 0) }
    }
}

/// A campaign's recipients, for people.
package enum PlannedAudience: Hashable, Sendable {
    /// A topic, with the reach that the project declares.
    case topic(Topic, reach: Int?)
    case condition(String)
    /// The name of an `audience:` or the path of a list; nil for a list inside the campaign.
    case list(name: String?, count: Int?)
    case group(DeviceGroupName)
}

package indirect enum CampaignStep: Hashable, Sendable {
    case send(SendStep)
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
    case redefine(ScheduledMoment)
    /// Changed after it was sent: it is not sent again.
    case alreadySent
    /// Its revision is lower than one that was sent: nothing is sent.
    case lowered(Int, sent: Int)
    /// Changed, and its rule makes no later slot.
    case ended
    /// The send stopped at an unknown outcome, which only a person can resolve.
    case stopped(OccurrenceID, unknown: Int)
    /// Removed from the files before its due time, or during its send.
    case cancel(OccurrenceID)
    /// Removed from the files after it was sent; its history stays.
    case retire
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

    /// Whether the action needs a person first.
    var isWaiting: Bool {
        switch self {
        case .stopped, .paused, .held: true
        default: false
        }
    }

    /// Whether the occurrence has started: later changes to the files do not affect it.
    package var isUnderWay: Bool {
        switch self {
        case .resume, .lapse, .stopped, .held: true
        case .paused(let send, _): send.unit != nil
        default: false
        }
    }

    /// The key of the sent or scheduled message.
    package var deduplicationKey: DeduplicationKey? {
        switch self {
        case .send(let send), .resume(let send), .lapse(let send), .paused(let send, _),
            .held(let send, _):
            send.deduplicationKey
        case .schedule(let id, _), .reschedule(let id, _, _): DeduplicationKey(of: id)
        default: nil
        }
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

    /// The highest count: a week of minutes.
    package static let maximumCount = 10_080
}

/// One occurrence that is due.
package struct SendStep: Hashable, Sendable {
    package let occurrence: OccurrenceID
    package let due: Instant
    package let target: SendStepTarget
    package let template: MessageTemplate
    /// The work unit, if an earlier run opened one.
    package let unit: WorkUnitRecord?
    /// Number of requests that remain, without those to dead registrations.
    package let remaining: Int
    /// The policy in the campaign's files.
    package let policy: SendPolicy
    /// The key in the message, stored with the occurrence; nil if Herald sets no key.
    package var deduplicationKey: DeduplicationKey?
    /// Whether the ids of accepted messages are recorded (`record: ids`) from the start of the
    /// send.
    package var keepsIDs = false
    /// The numbers of the requests to dead registrations, ascending; these requests are skipped.
    package var dead: [Int] = []
}

package enum SendStepTarget: Hashable, Sendable {
    case topic(Topic)
    case condition(String)
    case group(DeviceGroupName)
    /// A list that is read when the send starts and stays in the state until its end.
    ///
    /// The fingerprints are those of the live registrations.
    case list(RegistrationList, ListID, fingerprints: [Fingerprint])
    /// The rest of a list that an earlier run stored: intended requests, without dead
    /// registrations.
    case stored(ListID, fingerprints: [Fingerprint])
}

/// A field whose value differs from the recorded one; nil if it is absent.
package struct FieldChange: Hashable, Sendable {
    package let path: String
    package let before: JSONValue?
    package let after: JSONValue?
}

/// A remark for the reviewer.
package enum PlanNotice: Hashable, Sendable {
    /// The author set a platform's field directly, so `delivery` does not apply there.
    case authorWins(CampaignID, field: String)
    /// `priority: high` became 5 on Apple platforms, because nothing is displayed.
    case dataPriorityOnApple(CampaignID)
    /// These platforms receive no part of the message.
    case leavesOut(CampaignID, [Platform])
    /// The local time does not exist on that day; the due time is after the gap.
    case skippedLocalTime(CampaignID, ScheduledMoment, gapSeconds: Int)
    /// The local time exists twice on that day; the due time is the first.
    case doubledLocalTime(CampaignID, ScheduledMoment)
    /// The campaign's old name is unknown, so the campaign starts without a history.
    case unknownFormerName(CampaignID, CampaignID)
    /// Number of dead registrations in the campaign's list; nothing is sent to them.
    case deadRegistrations(CampaignID, count: Int, of: Int)
    /// Number of dead registrations in the audience's list; they are not joined.
    case deadMembers(MembershipScope, count: Int)
    /// FCM refused these members earlier; they are not joined again.
    case refusedMembers(MembershipScope, count: Int)
    /// These members were in the topic before Herald's first join; they stay there when they leave
    /// the list.
    case externalMembers(MembershipScope, count: Int)
    /// These members opted out of the topic; they are not joined again.
    case optedOutMembers(MembershipScope, count: Int)
    /// FCM rejected the leaves of these members; sends to the topic wait until it accepts them.
    case openLeaves(MembershipScope, count: Int)
    /// The audience that a `removed:` document names has no members left.
    case removalIsDone(AudienceID)
    /// The longest wait of the send until joins to its topics have settled.
    case settles(OccurrenceID, seconds: Int64)
    /// The estimated wait of the send until earlier fan-outs end.
    case waitsForFanOut(OccurrenceID, seconds: Int64)
    /// The reach of the send is unknown, so later fan-outs do not wait for it.
    case fanOutOfUnknownReach(OccurrenceID)
    /// Number of requests with an unknown outcome; they are not repeated.
    case unknownOutcomes(OccurrenceID, count: Int)
}

/// The reason why there is no plan.
package enum PlanningError: Error, Hashable, Sendable {
    case state(StateStoreError)
    case list(RegistrationListError)
    /// The files no longer contain these memberships' audience or its `subscribe`, and do not say
    /// what to do with the members.
    case abandonedMemberships([MembershipSummary])
    /// The recorded state of an interrupted send cannot be read.
    case unreadableOccurrence(OccurrenceID)
    /// The campaign sets a key that this version does not support.
    case notBuilt(CampaignID, keys: [String])
    /// Both the old and the new name were used, and two histories cannot be merged.
    case renamedOntoHistory(CampaignID, CampaignID)
    /// A rule's time zone is missing in the system's time zone data.
    case unknownZone(CampaignID, String)
}

package import CampaignMessages
package import CampaignModel
package import State
package import JSON
package import RegistrationLists
package import Time

/// What an apply would do, and all that it needs to do it.
///
/// A plan that exists can be applied.
package struct Plan: Sendable {
    package let project: ProjectID
    package let environment: EnvironmentID
    package let lineage: StateLineage
    /// The moment for which the plan was made.
    package let now: Instant
    /// In the order of the audiences; all leaves are done before the first join.
    package let memberships: [MembershipChange]
    /// In the order of the files, then the campaigns that are gone, by name; several of one
    /// campaign where something happens to several of its occurrences.
    package let campaigns: [CampaignAction]
    package var notices: [PlanNotice]
    /// What sends to a topic wait for after joins into it.
    package var settling = Settling.none
    /// The project's own zone, an IANA name.
    package var timeZone = "UTC"
    /// What is known of topics beforehand.
    package var topics: [Topic: PlannedTopic] = [:]
    /// The quotas that the environment may use.
    package var pace = Pace.standard
    /// What guards have to say, in the order of their cases; `plan` shows it, and an apply with a
    /// refusal among it does nothing.
    package var guards: [GuardOutcome] = []
    /// How many campaigns `--only` and `--except` left out: nothing of them is in the plan.
    package var leftOut = 0
    /// Whether nothing was chosen or left out.
    package var isWhole = true
    /// What the files want of memberships, also where nothing is to be done for it.
    package var wantedMemberships: [MembershipScope: WantedMembership] = [:]
    /// What was given with `--only` and `--except`.
    package var selectors = Selectors()
    /// What guards will compare the next plans with, once this one is applied.
    package var guardRecords: [DefinitionChange] = []
    /// The state that the plan was made from.
    package var serial = StateSerial(number: 0)
    /// What of it a reviewer agrees to.
    package var reviewed = ReviewedPlan.nothing

    package var digest: PlanDigest { PlanDigest(hash: reviewed.hash, serial: serial) }

    /// Whether an apply would send, change or record anything.
    package var hasChanges: Bool {
        !memberships.isEmpty || campaigns.contains { $0.step != .unchanged && !$0.step.isWaiting }
    }

    /// The sends that are due, in their order.
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

/// Who joins and who leaves a topic on behalf of an audience.
package struct MembershipChange: Hashable, Sendable {
    package let scope: MembershipScope
    /// Nil where the audience is gone: then nobody joins.
    package let list: RegistrationList?
    /// In the list's order; whom FCM says to be there already is recorded and not asked for.
    package let joins: [Fingerprint]
    /// Who left a topic by himself is joined again.
    package var rejoins = false
    /// Sorted.
    ///
    /// They leave the topic, because nobody else wants them there.
    package let leaves: [Fingerprint]
    /// Sorted.
    ///
    /// They are no longer this audience's members, but no request is made: another audience keeps
    /// them in the topic, they were there before us, they left by themselves, or FCM had refused
    /// them.
    package let forgotten: [Fingerprint]
    /// Sorted.
    ///
    /// They become this audience's members without a request, as what another audience's account
    /// says they are: there before us, or gone by themselves.
    package var noted: [Fingerprint] = []
    /// What the membership is to become.
    package var aim = MembershipAim.nobody
    /// How it is asked for; the plan is the same either way.
    package var transport = MembershipTransportChoice.auto

    var isEmpty: Bool {
        joins.isEmpty && leaves.isEmpty && forgotten.isEmpty && noted.isEmpty
    }
}

/// What happens to one campaign, or to one of its occurrences.
package struct CampaignAction: Hashable, Sendable {
    package let campaign: CampaignID
    package let step: CampaignStep
    /// The definition to record; nil where it is gone or as recorded.
    package let definition: CampaignDefinition?
    /// Fields that differ from the definition recorded last.
    package let changes: [FieldChange]
    /// Whom the campaign addresses and with what, as its files say; nil where it is gone from them.
    package var audience: PlannedAudience?
    package var template: MessageTemplate?
    /// Where the definition stays and its rule has come further: it makes only later slots.
    package var slotsAfter: Instant?
    /// The campaign as its files say; nil where it is gone from them.
    @Boxed package var source: Campaign?
    /// The content of the definition recorded last; nil where there is none or it is no other.
    package var recorded: JSONValue?
}

/// What is known of a topic's subscribers before anything is sent.
package struct PlannedTopic: Hashable, Sendable {
    package struct Kept: Hashable, Sendable {
        package let audience: AudienceID
        /// Registrations of its list.
        package let count: Int

        package init(audience: AudienceID, count: Int) {
            self.audience = audience
            self.count = count
        }
    }

    /// As the project declares.
    package let reach: Int?
    /// The audiences that are kept subscribed, in the order of the project.
    package var kept: [Kept]
    /// Registrations of all their lists, each once: so many are wanted in the topic at least; nil
    /// where there is no list.
    package var keptCount: Int?

    package init(reach: Int?, kept: [Kept] = [], keptCount: Int? = nil) {
        self.reach = reach
        self.kept = kept
        self.keptCount = keptCount ?? kept.map(\.count).max()
    }

    /// The declared reach, or who is kept subscribed where they are more.
    ///
    /// Nil without a declared reach: apps subscribe by themselves, and nobody knows how many.
    package var size: Int? {
        reach.map { max($0, keptCount ?? 0) }
    }
}

/// Whom a campaign addresses, for people.
package enum PlannedAudience: Hashable, Sendable {
    /// With the reach that the project declares.
    case topic(Topic, reach: Int?)
    case condition(String)
    /// The name of an `audience:` or the path of a list; nil for one that stands in the campaign.
    case list(name: String?, count: Int?)
    case group(DeviceGroupName)
}

package indirect enum CampaignStep: Hashable, Sendable {
    case send(SendStep)
    /// A sending that an earlier run began goes on where it stopped.
    case resume(SendStep)
    /// A sending that an earlier run began outlived its message: the rest is not sent any more.
    case lapse(SendStep)
    /// A sending that would begin or go on waits, because somebody paused it.
    case paused(SendStep, Pause)
    /// A sending that an earlier run gave up until somebody has looked.
    case held(SendStep, Hold)
    /// The name that the campaign had: its definition and occurrences go on under the new one.
    case rename(from: CampaignID)
    case schedule(OccurrenceID, ScheduledMoment)
    case reschedule(OccurrenceID, from: Instant, to: ScheduledMoment)
    /// Its moment passed too long ago: nothing is sent.
    case expire(OccurrenceID, ScheduledMoment)
    /// The same, and its author said that this is no failure.
    case skip(OccurrenceID, ScheduledMoment)
    /// Slots of a rule passed without being sent.
    case miss(MissedSlots)
    /// The schedule or revision that scheduled it is gone: it is cancelled.
    case unschedule(OccurrenceID, due: Instant)
    /// Its message is worth nothing any more: nothing is sent.
    case outlive(OccurrenceID, ScheduledMoment)
    /// Changed before its moment; it stays scheduled.
    case redefine(ScheduledMoment)
    /// Changed after it was sent: it is not sent again.
    case alreadySent
    /// Its revision is lower than one that was sent: nothing is sent.
    case lowered(Int, sent: Int)
    /// Changed, and its rule makes no later slot.
    case ended
    /// Its sending stopped at an unknown outcome, which only a person can settle.
    case stopped(OccurrenceID, unknown: Int)
    /// Gone from the files before its moment, or in the middle of its sending.
    case cancel(OccurrenceID)
    /// Gone from the files after it was sent; its history stays.
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

    /// Nothing can be done about it until a person does something.
    var isWaiting: Bool {
        switch self {
        case .stopped, .paused, .held: true
        default: false
        }
    }

    /// What it began with is what it ends with: changes of the files are not in it.
    package var isUnderWay: Bool {
        switch self {
        case .resume, .lapse, .stopped, .held: true
        case .paused(let send, _): send.unit != nil
        default: false
        }
    }

    /// The key of what is sent or scheduled.
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

/// Slots of a rule that were due, and of which nothing is sent.
package struct MissedSlots: Hashable, Sendable {
    package struct Slot: Hashable, Sendable {
        package let occurrence: OccurrenceID
        package let due: Instant
    }

    /// Those that are recorded as expired: what the state knew of, else the last.
    package let occurrences: [Slot]
    /// At most `maximumCount`; that many are "at least".
    package let count: Int
    package let first: Instant
    package let last: Instant
    /// The author wants it to count as a failure.
    package let isFailure: Bool
    /// A later slot is sent in their place.
    package let isSuperseded: Bool

    /// So many are counted: a week of minutes.
    package static let maximumCount = 10_080
}

/// One sending that is due.
package struct SendStep: Hashable, Sendable {
    package let occurrence: OccurrenceID
    package let due: Instant
    package let target: SendStepTarget
    package let template: MessageTemplate
    /// The unit that an earlier run opened, where one did.
    package let unit: UnitRecord?
    /// How many requests are still to be made, those to the dead aside.
    package let remaining: Int
    /// As the campaign's files say now.
    package let policy: SendPolicy
    /// The key in the message, kept with the occurrence; nil where the message has none of Herald's
    /// own.
    package var deduplicationKey: DeduplicationKey?
    /// Whether the ids of accepted messages are kept (`record: ids`), once the sending begins.
    package var keepsIDs = false
    /// The numbers of the requests that would go to registrations that FCM called dead, rising: they
    /// are not made.
    package var dead: [Int] = []
}

package enum SendStepTarget: Hashable, Sendable {
    case topic(Topic)
    case condition(String)
    case group(DeviceGroupName)
    /// The list is read when the sending begins and is kept in the state until its end; the
    /// fingerprints are those of the living.
    case list(RegistrationList, ListID, fingerprints: [Fingerprint])
    /// The rest of a list that an earlier run stored: what is still intended, without the dead.
    case stored(ListID, fingerprints: [Fingerprint])
}

/// A field whose value is not the recorded one; nil where it is absent.
package struct FieldChange: Hashable, Sendable {
    package let path: String
    package let before: JSONValue?
    package let after: JSONValue?
}

/// Something a reviewer should know.
package enum PlanNotice: Hashable, Sendable {
    /// The author wrote a platform's field himself, so `delivery` does not apply there.
    case authorWins(CampaignID, field: String)
    /// `priority: high` became 5 on Apple platforms, because the message shows nothing.
    case dataPriorityOnApple(CampaignID)
    /// These platforms receive nothing of the message.
    case leavesOut(CampaignID, [Platform])
    /// The local time does not exist on that day; the moment is the one after the gap.
    case skippedLocalTime(CampaignID, ScheduledMoment, gapSeconds: Int)
    /// The local time exists twice on that day; the moment is the first.
    case doubledLocalTime(CampaignID, ScheduledMoment)
    /// Nobody knows the name that the campaign says it had; it begins anew.
    case unknownFormerName(CampaignID, CampaignID)
    /// So many registrations of the campaign's list are dead: nothing is sent to them.
    case deadRegistrations(CampaignID, count: Int, of: Int)
    /// So many registrations of the audience's list are dead, and not asked to join.
    case deadMembers(MembershipScope, count: Int)
    /// FCM refused these members earlier; they are not joined again.
    case refusedMembers(MembershipScope, count: Int)
    /// These members were in the topic before us; they stay there when they leave the list.
    case foreignMembers(MembershipScope, count: Int)
    /// These members left the topic by themselves; they are not joined again.
    case optedOutMembers(MembershipScope, count: Int)
    /// FCM did not let these members leave; sends to the topic wait until it does.
    case openLeaves(MembershipScope, count: Int)
    /// The audience that a `removed:` document names has no members left.
    case removalIsDone(AudienceID)
    /// The send waits so long, at most, for joins into its topics to settle.
    case settles(OccurrenceID, seconds: Int64)
    /// The send waits about so long for the fan-outs before it to end.
    case waitsForFanOut(OccurrenceID, seconds: Int64)
    /// Nobody knows whom the send reaches, so the fan-outs after it don't wait for it.
    case fanOutOfUnknownReach(OccurrenceID)
    /// Requests of which nobody can say whether FCM took them. They are not repeated.
    case unknownOutcomes(OccurrenceID, count: Int)
}

/// Why there is no plan.
package enum PlanningError: Error, Hashable, Sendable {
    case state(StateStoreError)
    case list(RegistrationListError)
    /// Memberships whose audience, or its `subscribe`, is gone: nobody said what becomes of them.
    case abandonedMemberships([MembershipSummary])
    /// What the state keeps of a sending that was cut off can't be read.
    case unreadableOccurrence(OccurrenceID)
    /// The campaign says something that this version would not act on.
    case notBuilt(CampaignID, keys: [String])
    /// Both the former name and the new one were used: one history can't be two.
    case renamedOntoHistory(CampaignID, CampaignID)
    /// A rule's zone is not in the system's time zone data any more.
    case unknownZone(CampaignID, String)
}

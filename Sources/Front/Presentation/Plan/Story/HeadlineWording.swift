import CampaignModel
import Planning
import State
import Time

/// Describes an action on a campaign in a headline.
struct HeadlineWording {
    private let clock: StoryClock
    private let hint: CommandHint
    private let zone: String?
    private let audience: String
    private let mood: PlanMood
    /// Whether the campaign is in the files, but does not belong to the environment.
    var isElsewhere = false
    /// What the campaign's schedule says about late sends; nil if the campaign was removed.
    var timeliness: LatePolicy?
    /// The last revision that was sent before this one.
    var sentRevision: Int?
    /// The campaign's rule as text; nil if it does not repeat.
    var rule: String?
    /// Nil if the rule is the same.
    var ruleChange: RuleChangeWording?
    /// The next due time of the campaign's rule, if the rule still has one.
    var nextDue: MomentDescription?
    /// The audience of the last apply, such as `topic azores`; nil if it is the same.
    var formerAudience: String?
    /// Whether the campaign's audience, its list or what the list leaves out changed.
    var hasOtherRecipients = false
    /// Whether a scheduled send is paused.
    var isPaused = false
    /// Whether an earlier apply recorded the campaign, which was not sent since then.
    var isUnsent = false
    /// Whether the campaign is due because its revision was raised after its time had passed.
    var isRaised = false

    /// The time zones of the recipients, if each has its own occurrence; otherwise empty.
    var zones = ""

    /// `zone`: the zone of the campaign's schedule.
    ///
    /// The audience, such as `topic tides`, is nil if it is unknown.
    init(
        clock: StoryClock,
        hint: CommandHint,
        zone: String?,
        audience: String?,
        mood: PlanMood
    ) {
        self.clock = clock
        self.hint = hint
        self.zone = zone
        self.audience = audience ?? "its audience"
        self.mood = mood
    }

    func headline(_ step: CampaignStep) -> PlanEntry.Headline {
        let wording = wording(of: step)
        let moments = moments(of: step)
        return PlanEntry.Headline(
            symbol: wording.0,
            wording: wording.1 + zones + (isPaused && step.isScheduling ? ", but is paused" : ""),
            moment: moments.now,
            former: moments.former,
            quotes: wording.1.contains(audience),
            repeats: rule != nil && moments.now.map { $0.instant > clock.now } ?? false
        )
    }

    private func moments(
        of step: CampaignStep
    ) -> (now: MomentDescription?, former: MomentDescription?) {
        switch step {
        case .schedule(_, let moment), .expire(_, let moment), .skip(_, let moment),
            .outlive(_, let moment), .redefine(_, let moment):
            (clock.moment(moment), nil)
        case .reschedule(_, let from, let to):
            (clock.moment(to), clock.moment(from, in: zone ?? to.zone))
        case .unschedule(_, let due): (nil, clock.moment(due, in: zone))
        case .cancel(let cancelled) where cancelled.unsent == nil:
            (nil, clock.moment(cancelled.due, in: zone))
        case .send(let send) where send.due != clock.now:
            (clock.moment(send.due, in: zone), nil)
        case .handOver(let send) where send.due != clock.now:
            (clock.moment(send.due, in: zone), nil)
        case .paused(let send, _) where send.due != clock.now:
            (clock.moment(send.due, in: zone), nil)
        case .send, .handOver, .resume, .lapse, .paused, .held, .stopped, .rename, .miss,
            .alreadySent, .lowered, .ended, .cancel, .retire, .correct, .uncorrectable, .answer,
            .unchanged:
            (nil, nil)
        }
    }
}

// MARK: - Steps

extension HeadlineWording {
    private func wording(of step: CampaignStep) -> (PlanSymbol, String) {
        switch step {
        case .send(let send): (.send, sent(send))
        case .handOver(let send): (.send, handedOver(send))
        case .resume(let send): (.send, resumed(send))
        case .lapse(let send): (.attention, lapsed(send))
        case .paused(let send, let pause): (.wait, waiting(send, pause))
        case .held(let send, let hold): (.attention, wording(for: send, hold: hold))
        case .stopped(let id, let count): (.attention, stopped(id, unknown: count))
        case .schedule(let id, _):
            (
                .add,
                changedRule
                    ?? mood.verb("is", "be")
                    + " scheduled to go\(again) to \(destination)\(raised(id))\(repeating)"
                    + reason
            )
        case .reschedule(_, let from, let to): (.change, moved(from, to: to))
        case .unschedule(_, let due): (.remove, unscheduled(due))
        case .expire: (.attention, "is too late; nothing is sent")
        case .skip: (.attention, "is too late and skipped; nothing is sent")
        case .miss(let missed): (.attention, wording(missed))
        case .outlive: (.attention, "has expired; nothing is sent")
        case .redefine:
            (
                .change,
                changedRule
                    ?? "changed; it \(isScheduled) to go to \(destination)\(repeating)"
            )
        case .alreadySent:
            (.change, "was already sent, so nothing is sent; raise `revision` to send again")
        case .lowered(let revision, let sent): (.change, lowered(revision, sent: sent))
        case .ended:
            (.change, "changed; nothing more is sent, because its rule has no more due times")
        case .rename(let name): (.change, renamed(from: name))
        case .cancel(let send) where send.isEnded:
            (.remove, "was ended with `herald rollout abort`; \(cancelled(send))")
        case .cancel(let send): (.remove, "\(removal); \(cancelled(send))")
        case .retire: (.remove, "\(removal); its history is kept")
        case .correct(let correction):
            (.send, CorrectionWording(correction, clock: clock).headline(mood: mood))
        case .uncorrectable(let nothing): (.attention, nothing.wording(at: clock.now))
        case .answer(let rule): (.change, ReplyWording(rule).headline(mood: mood))
        case .unchanged: (.change, "unchanged")
        }
    }

    private func sent(_ send: SendStep) -> String {
        mood.verb("sends", "send")
            + "\(again) now\(firstTime) to \(destination)\(raised(send.occurrence))"
            + reason + lateness(of: send)
    }

    private func handedOver(_ send: SendStep) -> String {
        mood.verb("is", "be") + " handed over to the service, which sends it\(again) to \(audience)"
            + "\(raised(send.occurrence))\(reason)\(lateness(of: send))"
    }

    private var again: String { sentRevision == nil ? "" : " again" }

    private var firstTime: String { isUnsent ? " for the first time" : "" }

    private var destination: String {
        audience + (formerAudience.map { " instead of \($0)" } ?? "")
    }

    /// A raised revision excludes no recipient of an earlier one.
    private func raised(_ id: OccurrenceID) -> String {
        sentRevision.map { sent in
            let also = formerAudience == nil ? ": also to devices that got revision \(sent)" : ""
            return " (revision raised from \(sent) to \(id.revision)\(also))"
        } ?? ""
    }

    /// Why the send is due; empty if that is its schedule.
    private var reason: String {
        isRaised ? ", because `revision` was raised after its due time" : ""
    }

    /// Names the key that allows a send after its due time; empty if the send is on time.
    private func lateness(of send: SendStep) -> String {
        let seconds = clock.now.seconds(since: send.due)
        guard seconds > 0, let timeliness else { return "" }
        let length = MomentWording.length(seconds)
        let limit = MomentWording.length(timeliness.lateAfter)
        let rule =
            seconds <= timeliness.lateAfter ? "late_after allows \(limit)" : "late: send allows it"
        return ", \(length) after its due time (\(rule))"
    }

    private var repeating: String { rule.map { " and repeats \($0)" } ?? "" }

    private var isScheduled: String {
        let adverb = hasOtherRecipients ? "now" : "still"
        return switch mood {
        case .indicative: "is \(adverb) scheduled"
        case .conditional: "would \(hasOtherRecipients ? "then" : adverb) be scheduled"
        }
    }

    private var changedRule: String? { ruleChange?.headline(to: destination, in: mood) }

    private func moved(_ from: Instant, to moment: ScheduledMoment) -> String {
        let after = clock.moment(moment)
        if let ruleChange, let changedRule {
            let before = clock.moment(from, in: zone ?? after.zone)
            guard ruleChange.drops(before, movedTo: after), !ruleChange.namesDrop(of: before) else {
                return changedRule
            }
            let dropped = mood.verb("is", "be") + " dropped"
            return "\(changedRule); the send that was due \(before.stamp) \(dropped)"
        }
        let before = clock.moment(from, in: after.zone)
        let goes = mood == .indicative ? "goes" : "go"
        return mood.verb("moves", "move")
            + " from \(before.wording(movedTo: after)) and \(goes) to \(destination)\(repeating)"
    }

    private func unscheduled(_ due: Instant) -> String {
        mood.verb("cancels", "cancel") + " its send of \(clock.moment(due, in: zone).stamp), "
            + "because its schedule or revision changed"
    }

    private func renamed(from name: CampaignID) -> String {
        let keeps = mood == .indicative ? "keeps" : "keep"
        return mood.verb("is", "be")
            + " renamed from \(name) and \(keeps) its history; what was sent is not sent again"
    }

    private func cancelled(_ send: CancelledSend) -> String {
        let verb = mood.verb("is", "be")
        guard let unsent = send.unsent else {
            return "its send of \(clock.moment(send.due, in: zone).stamp) \(verb) cancelled"
        }
        return "the rest of its send \(verb) cancelled: \(unsent.counting("request"))"
    }

    private var removal: String {
        isElsewhere ? "does not belong to this environment" : "was removed from the files"
    }

    private func resumed(_ send: SendStep) -> String {
        let isStored = if case .stored = send.target { true } else { false }
        let left = send.remaining.counting("request")
        return mood.verb("resumes", "resume") + " with its original message "
            + (isStored ? "and list" : "to \(audience)")
            + ": \(left) of its interrupted send \(send.remaining == 1 ? "is" : "are") left"
    }

    private func lapsed(_ send: SendStep) -> String {
        "was interrupted, and its message has expired: "
            + "\(send.remaining.counting("request")) not sent"
    }

    private func stopped(_ id: OccurrenceID, unknown count: Int) -> String {
        "stopped: \(count.counting("request")) may have been sent "
            + "(\(count == 1 ? "outcome" : "outcomes") unknown), so nothing more is sent; resolve "
            + "with `\(hint("resolve \(id) sent|resend|drop"))`"
    }

    private func lowered(_ revision: Int, sent: Int) -> String {
        "has revision \(revision), but revision \(sent) was already sent, so nothing is sent; "
            + "raise `revision` above \(sent) to send again"
    }

    private func waiting(_ send: SendStep, _ pause: Pause) -> String {
        let whole = pause.scope == .everything ? ", with all campaigns," : ""
        let since = clock.moment(pause.since)
        let rest = "the rest (\(send.remaining.counting("request"))) is not sent"
        let what = send.unit == nil ? "it is not sent" : rest
        return "has been paused\(whole) since \(since.stamp) \(since.zone) by \(pause.user) on "
            + "\(pause.host): \(what) to \(audience) until the pause is lifted"
    }

    private func wording(for send: SendStep, hold: Hold) -> String {
        let left = "\(send.remaining.counting("request")) not sent"
        let resume = "resume it with `\(hint("resolve \(send.occurrence) resend"))`"
        let revision = send.occurrence.revision
        let subject = sentRevision == revision ? "its send of revision \(revision) stays" : "is"
        return switch hold {
        case .mostlyDead:
            "\(subject) held, \(left): too many registrations are dead or belong to another "
                + "project; check the project and the list; if both are right, add "
                + "`acknowledge: { dead: SHARE, reason: … }` or \(resume); if not, remove the "
                + "campaign"
        case .lostWorker:
            "\(subject) held, \(left): a worker is gone, and the failover of the database may have "
                + "lost what it sent last; \(resume), which may send some twice, or remove the "
                + "campaign"
        case .rollout:
            "\(subject) stopped, \(left): its rollout waits for "
                + "`\(hint("rollout continue \(send.occurrence.campaign)"))` or "
                + "`\(hint("rollout abort \(send.occurrence.campaign)"))`"
        case .refusedPayload:
            "\(subject) held, \(left): FCM refused its message repeatedly; correct it and raise "
                + "`revision`, \(resume), or remove the campaign"
        }
    }

    private func wording(_ missed: MissedSlots) -> String {
        let isMore = missed.count == MissedSlots.maximumCount
        let count = (isMore ? "at least " : "") + missed.count.counting("due time")
        let first = clock.moment(missed.first, in: zone)
        let last = clock.moment(missed.last, in: zone)
        let range = missed.count == 1 ? first.stamp : "\(first.stamp) to \(last.stamp)"
        let what = missed.count == 1 ? "it" : "them"
        let why =
            missed.isSuperseded
            ? "only the latest due time after \(what) is sent" : "nothing is sent for \(what)"
        return "missed \(count), \(range) \(first.zone); \(why)"
            + (missed.isFailure ? "; this counts as a failure (late: fail)" : "")
            + continuing(missed)
    }

    /// Whether and when the rule is due again; empty for a send that another headline describes.
    private func continuing(_ missed: MissedSlots) -> String {
        guard !missed.isSuperseded, rule != nil else { return "" }
        return nextDue.map { "; the rule continues: next due \($0.stamp)" }
            ?? "; the rule has no more due times"
    }
}

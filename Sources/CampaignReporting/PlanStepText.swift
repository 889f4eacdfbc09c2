import CampaignModel
import CampaignPlanning
import CampaignState
import Scheduling

/// What happens to a campaign, in words.
struct PlanStepText {
    typealias Words = (symbol: String, tone: TextStyle.Tone, text: String)

    private let moments: MomentText
    private let hint: CommandHint
    private let whom: String

    init(now: Instant, hint: CommandHint, audience: PlannedAudience?) {
        moments = MomentText(now: now)
        self.hint = hint
        whom = audience.map { "to " + $0.words } ?? ""
    }

    func words(_ step: CampaignStep) -> Words {
        switch step {
        case .send, .resume, .lapse, .paused, .held, .stopped: sending(step)
        case .schedule, .reschedule, .unschedule, .expire, .skip, .miss, .outlive: moment(step)
        case .redefine, .alreadySent, .lowered, .ended, .rename, .cancel, .retire, .unchanged:
            change(step)
        }
    }

    private func sending(_ step: CampaignStep) -> Words {
        switch step {
        case .send(let send) where send.occurrence.slot != .once:
            (">", .good, "sends now \(whom), due \(moments.distance(of: send.due))")
        case .send: (">", .good, "sends now \(whom)")
        case .resume(let send):
            (
                ">", .attention,
                "goes on where it stopped, with the message it began with: "
                    + "\(send.remaining.counting("request")) left \(whom)"
            )
        case .lapse(let send):
            (
                "!", .bad,
                "stopped, and its message has outlived its time since: "
                    + "\(send.remaining.counting("request")) will not be sent"
            )
        case .paused(let send, let pause):
            ("=", .attention, "is paused \(pauseWords(pause)): \(send.occurrence) is not sent")
        case .held(let send, let hold): ("!", .bad, holdWords(send, hold))
        case .stopped(let id, let count):
            (
                "!", .bad,
                "stopped: \(count.counting("outcome")) unknown, so it is not repeated; "
                    + "`\(hint("resolve \(id) sent|resend|drop"))` settles it"
            )
        default: unchanged
        }
    }

    private func pauseWords(_ pause: Pause) -> String {
        let who = "\(TextStyle.safe(pause.user)) on \(TextStyle.safe(pause.host))"
        let whole = pause.scope == .everything ? ", with the whole environment," : ""
        return "since \(pause.since.utcText)\(whole) by \(who)"
    }

    private func holdWords(_ send: SendStep, _ hold: Hold) -> String {
        let left = "\(send.remaining.counting("request")) not sent"
        let out =
            "let it go on with `\(hint("resolve \(send.occurrence) resend"))`, or take the campaign "
            + "out"
        return switch hold {
        case .mostlyDead:
            "is held, \(left): too many registrations are dead or of another project; where the "
                + "list is that old, write `acknowledge: { dead: SHARE, reason: … }`, else \(out)"
        case .refusedPayload:
            "is held, \(left): FCM refused its message again and again; mend it and raise "
                + "`revision`, \(out)"
        }
    }

    private var unchanged: Words { (" ", .plain, "unchanged") }
}

// MARK: - Moments

extension PlanStepText {
    private func moment(_ step: CampaignStep) -> Words {
        switch step {
        case .schedule(_, let moment):
            ("+", .good, "is scheduled for \(moments.words(moment)), \(whom)")
        case .reschedule(_, let from, let to):
            ("~", .attention, "moves from \(from.utcText) to \(moments.words(to)), \(whom)")
        case .unschedule(let id, let due):
            (
                "-", .bad,
                "\(id), due \(due.utcText), is cancelled: its schedule or revision is gone"
            )
        case .expire(_, let moment):
            ("!", .bad, "is too late, nothing is sent: it was due \(moments.words(moment))")
        case .skip(_, let moment):
            (
                "!", .attention,
                "is too late and skipped, nothing is sent: it was due \(moments.words(moment))"
            )
        case .miss(let missed):
            ("!", missed.isFailure ? .bad : .attention, missedWords(missed))
        case .outlive(_, let moment):
            (
                "!", .bad,
                "has expired, nothing is sent: it was worth sending until \(moments.words(moment))"
            )
        default: unchanged
        }
    }

    private func missedWords(_ missed: MissedSlots) -> String {
        let isMore = missed.count == MissedSlots.maximumCount
        let count = (isMore ? "at least " : "") + missed.count.counting("moment")
        let range =
            missed.count == 1
            ? missed.first.utcText : "\(missed.first.utcText) to \(missed.last.utcText)"
        let why = missed.isSuperseded ? "a later one is sent instead" : "nothing is sent for them"
        return "missed \(count), \(range); \(why)"
    }
}

// MARK: - Changes

extension PlanStepText {
    private func change(_ step: CampaignStep) -> Words {
        switch step {
        case .redefine(let moment):
            ("~", .attention, "changed; stays scheduled for \(moments.words(moment))")
        case .alreadySent:
            ("~", .attention, "already sent; raise `revision` to send again")
        case .lowered(let revision, let sent):
            (
                "~", .attention,
                "revision \(revision) is lower than \(sent), which was sent, so nothing is sent; "
                    + "raise `revision` above \(sent) to send again"
            )
        case .ended: ("~", .attention, "changed; its rule has no later moment")
        case .rename(let name):
            ("~", .attention, "was \(name); its history moves here and nothing is sent again")
        case .cancel: ("-", .bad, "is gone from the files: what was not sent is cancelled")
        case .retire: ("-", .faint, "is gone from the files; its history stays")
        default: unchanged
        }
    }
}

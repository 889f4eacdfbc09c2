import CampaignMessages
import CampaignModel
import Planning
import State
import Time

/// Says what follows from an action, and what a user can do about it.
struct OutlookWording {
    private let action: CampaignAction
    private let clock: StoryClock
    private let hint: CommandHint

    init(_ action: CampaignAction, clock: StoryClock, hint: CommandHint) {
        self.action = action
        self.clock = clock
        self.hint = hint
    }

    /// Empty if the headline says everything.
    var sentences: [String] {
        switch action.step {
        case .paused(let send, let pause): [afterPause(send, pause)]
        case .expire, .skip: lifting + ["To send it, set `at` in its schedule to a later time."]
        case .outlive: lifting
        case .miss(let missed): missed.isSuperseded ? [] : lifting
        case .stopped(_, let count): [resolutions(count)]
        case .handOver, .schedule, .reschedule, .redefine: paused + readingAtSend
        case .send, .resume, .lapse, .held, .rename, .unschedule, .alreadySent, .lowered, .ended,
            .cancel, .retire, .correct, .answer, .unchanged:
            []
        case .uncorrectable(let nothing): nothing.advice.map { ["\($0)."] } ?? []
        }
    }

    private func resolutions(_ count: Int) -> String {
        let (noun, pronoun) = count == 1 ? ("the request", "it") : ("the requests", "them")
        return "`sent` records \(noun) as sent, `resend` sends \(pronoun) again and may reach a "
            + "device twice, and `drop` gives \(pronoun) up."
    }

    /// A due run has no files of the project, and reads no sources.
    private var readingAtSend: [String] {
        guard case .listAtSend? = action.audience else { return [] }
        guard case .registrations(let list)? = action.source?.target, list.sources.isEmpty else {
            return [
                "Only `\(hint("apply"))` sends it: `herald run` and `apply --due` do not read its "
                    + "source."
            ]
        }
        return ["`herald run` and `apply --due` send it only with `--lists DIR`."]
    }

    /// A scheduled send of a paused campaign; empty if it is not paused.
    private var paused: [String] {
        guard let pause = action.pause else { return [] }
        let since = clock.moment(pause.since)
        return [
            "It has been paused since \(since.stamp) \(since.zone) by \(pause.user) on "
                + "\(pause.host). `\(hint.resuming(pause.scope))` lifts the pause; if that is after "
                + "the due time, the message may be too late."
        ]
    }

    /// A missed due time of a paused campaign; empty if it is not paused.
    private var lifting: [String] {
        guard let pause = action.pause else { return [] }
        let missed = if case .miss = action.step { "the missed messages" } else { "it" }
        return [
            "The campaign is paused. `\(hint.resuming(pause.scope))` does not send \(missed), because "
                + "the time has passed."
        ]
    }

    private func afterPause(_ send: SendStep, _ pause: Pause) -> String {
        let resume = "`\(hint.resuming(pause.scope))`"
        let apply = "`\(hint("apply"))`"
        let what = send.unit == nil ? "it" : "the rest"
        guard let limit = limit(of: send) else {
            return "After \(resume), the next \(apply) sends \(what)."
        }
        let end = clock.moment(limit.end, in: action.source?.schedule.zone)
        return "After \(resume), \(apply) sends \(what) until \(end.stamp) \(end.zone); later, "
            + "\(what) is not sent (\(limit.reason))."
    }
}

// MARK: - Last time to send

extension OutlookWording {
    private typealias Limit = (end: Instant, reason: String)

    /// The last time to send, and what sets it; nil if it moves with the time of the apply.
    private func limit(of send: SendStep) -> Limit? {
        let expiry = send.template.expiry?.end
        let lastSecond = send.template.end(due: send.due).advanced(bySeconds: -1)
        let lifetime = (end: expiry ?? lastSecond, reason: "the message expires")
        guard send.unit == nil else { return lifetime }
        switch action.source?.schedule {
        case .at?: return earliest(lateness(of: send.due, otherwise: .fail) + [lifetime])
        case .repeating?: return earliest(lateness(of: send.due, otherwise: .skip) + [lifetime])
        case .immediate?, nil: return expiry.map { ($0, lifetime.reason) }
        }
    }

    private func lateness(of due: Instant, otherwise: LatePolicy.Late) -> [Limit] {
        guard let policy = action.source?.timeliness else { return [] }
        let late = due.advanced(bySeconds: policy.lateAfter)
        let length = MomentWording.length(policy.lateAfter)
        var limits: [Limit] = []
        if policy.late ?? otherwise != .send {
            limits.append((late, "late_after allows \(length)"))
        }
        if let until = policy.until { limits.append((due < until ? until : late, "until")) }
        return limits
    }

    private func earliest(_ limits: [Limit]) -> Limit? { limits.min { $0.end < $1.end } }
}

import CampaignModel
import RateControl
import RunControl
import State

extension MembershipMachine {
    mutating func judge(
        _ reply: MembershipReply,
        of work: MembershipWork,
        by answered: MembershipRoute,
        at now: Duration
    ) {
        switch reply {
        case .verdicts(let verdicts):
            confirm(answered)
            judge(verdicts, of: work, at: now)
        case .throttled(let reason, let delay):
            guard throttle(work.members.count, retryAfter: delay, reason: reason, at: now) else {
                return
            }
            putBack(HeldWork(work: work, time: nil))
        case .passing(let reason, let delay, let isAnswered):
            if isAnswered { pace.failed(retryAfter: delay, now: now) }
            tellPause(.asked, at: now)
            let shortest = isAnswered ? repeatPause(after: work.failures) : .zero
            guard
                let again = again(work, after: delay ?? shortest, reason: reason, at: now)
            else {
                return
            }
            putBack(again)
        case .notServed(let reason):
            leaveBatches(because: reason)
            waiting.putBack(work.members)
        case .refusedUs(let reason): fail(.refused(reason: reason))
        }
    }

    /// Takes the verdicts of a request; batches are recorded immediately, single registrations in
    /// groups.
    private mutating func judge(
        _ verdicts: [MembershipVerdict],
        of work: MembershipWork,
        at now: Duration
    ) {
        let judged = Array(zip(work.members, verdicts))
        let quota = judged.filter { $1 == .passing(isQuota: true) }.map(\.0)
        let others = judged.filter { $1 == .passing(isQuota: false) }.map(\.0)
        let results = judged.compactMap { $1.result(of: $0) }
        unrecorded += results
        let isBatch = route.transport == .batch
        if isBatch { isRecordDue = true }
        if judged.count > quota.count { pace.accepted(judged.count - quota.count, now: now) }
        var rest: [HeldWork] = []
        if !quota.isEmpty {
            let reason = "FCM's quota was used up for \(quota.count) of them"
            guard throttle(quota.count, retryAfter: nil, reason: reason, at: now) else { return }
            rest.append(
                HeldWork(
                    work: MembershipWork(members: quota, failures: work.failures),
                    time: nil
                )
            )
        }
        if !others.isEmpty {
            let reason = "FCM neither accepted nor refused \(others.count) of them"
            let work = MembershipWork(members: others, failures: work.failures)
            guard let again = again(work, after: .zero, reason: reason, at: now)
            else { return }
            rest.append(again)
        }
        if isBatch, !results.isEmpty {
            held += rest
        } else {
            for item in rest { putBack(item) }
        }
    }

    mutating func putBack(_ item: HeldWork) {
        let (members, failures) = (item.work.members, item.work.failures)
        if let time = item.time {
            waiting.delay(members, failures: failures, until: time)
        } else {
            waiting.putBack(members, failures: failures)
        }
    }

    /// Slows the pace down for members that hit the quota; returns false if FCM keeps refusing.
    private mutating func throttle(
        _ count: Int,
        retryAfter: Duration?,
        reason: String,
        at now: Duration
    ) -> Bool {
        pace.throttled(count, retryAfter: retryAfter, now: now)
        tellPause(.quota, at: now)
        if pace.isRefusedForGood { fail(.unanswered(reason: reason)) }
        return !pace.isRefusedForGood
    }

    /// Reports a pause once, and again if it becomes longer.
    private mutating func tellPause(_ reason: PauseReason, at now: Duration) {
        guard let end = pace.pauseEnd(now: now), end > toldPause else { return }
        toldPause = end
        commands.append(.report(.pausing(reason, for: end - now)))
    }

    /// Returns the retry of members without a final verdict, after a separate pause of at least
    /// `delay`; nil after too many failures.
    private mutating func again(
        _ work: MembershipWork,
        after delay: Duration,
        reason: String,
        at now: Duration
    ) -> HeldWork? {
        let failures = work.failures + 1
        guard failures < Backoff.maximumFailures else {
            fail(.unanswered(reason: reason))
            return nil
        }
        return HeldWork(
            work: MembershipWork(members: work.members, failures: failures),
            time: now + max(rules.backoff.pause(after: failures), delay)
        )
    }

    /// Returns the pause after a server error without a requested time: the same as before a
    /// repeated send.
    private mutating func repeatPause(after failures: Int) -> Duration {
        let shortest = rules.backoff.shortestRepeat
        let spread = shortest * (1 << min(failures, Backoff.maximumFailures))
        return shortest + spread * Double.random(in: 0..<1, using: &random)
    }

    mutating func leaveBatches(because reason: String) {
        guard route.leave(because: reason) else { return }
        widen()
        commands.append(.report(.transportChosen(.perRegistration, because: reason)))
    }

    /// Records that this route gave a conclusive answer.
    mutating func confirm(_ answered: MembershipRoute) {
        guard answered.transport == route.transport, route.works() else { return }
        isRememberDue = true
    }
}

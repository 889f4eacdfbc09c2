import CampaignModel
import FCMClient
import Planning
import RateControl
import State

extension DispatchMachine {
    mutating func judge(_ request: Int, as judgement: Judgement, at now: Duration) {
        if let sent = open.removeValue(forKey: request) { measure(judgement, since: sent, at: now) }
        switch judgement {
        case .accepted(let name):
            answered(now)
            trial?.accepted()
            rollout?.accepted()
            let id = rules.keepsIDs ? name : nil
            settle(request, as: .accepted, detail: rules.keepsNames ? name : nil, messageID: id)
        case .rejected(let rejection):
            answered(now)
            trial?.rejected(request, with: rejection)
            rollout?.rejected(rejection)
            settle(request, as: .rejected, detail: rejection.reason)
        case .unwritten(let reason):
            putBack(request, at: now)
            end(unless: absence.failed(now: now), reason: reason)
        case .throttled(let reason, let delay):
            putBack(request, at: now)
            pace.throttled(1, retryAfter: delay, now: now)
            end(unless: !pace.isRefusedForGood, reason: reason)
        case .slowed(let delay): slow(request, by: delay, at: now)
        case .failed(let reason, let delay):
            absence.answered()
            pace.failed(retryAfter: delay, now: now)
            trust()
            if rules.policy.repeats == .never {
                leaveUnknown(request, reason: reason)
            } else {
                repeatUnknown(request, reason: reason, after: delay, at: now)
            }
            end(unless: outage.failed(now: now), reason: reason)
        case .unknown(let reason):
            if rules.policy.repeats == .always {
                repeatUnknown(request, reason: reason, after: nil, at: now)
            } else {
                leaveUnknown(request, reason: reason)
            }
            end(unless: absence.stayedSilent(whileOpen: open.count), reason: reason)
        case .unauthorized(let reason): distrust(request, reason: reason, at: now)
        case .refusedUs(let reason): refuse(request, reason: reason)
        }
    }

    /// Measures the time of an answer of the server.
    private mutating func measure(_ judgement: Judgement, since sent: Duration, at now: Duration) {
        switch judgement {
        case .accepted, .rejected, .slowed: window.answered(after: now - sent, now: now)
        // A refusal may come from a server on the way.
        case .unwritten, .throttled, .unauthorized, .refusedUs, .failed, .unknown: break
        }
    }

    /// Records an answer about the message itself.
    private mutating func answered(_ now: Duration) {
        absence.answered()
        pace.accepted(1, now: now)
        outage.answered(now: now)
        trust()
    }

    private mutating func trust() {
        if bearer == .renewed { bearer = .trusted }
    }

    private mutating func end(unless goesOn: Bool, reason: String) {
        if !goesOn { ending = ending ?? .unanswered(reason: reason) }
    }

    /// Records the final outcome of a request.
    private mutating func settle(
        _ request: Int,
        as outcome: Outcome,
        detail words: String?,
        messageID: String? = nil
    ) {
        guard let entry = repeats[request] else {
            return note(request, as: outcome, detail: words, messageID: messageID)
        }
        repeats.settle(request)
        let detail = OutcomeDetail(words, repeatedAfter: entry.cause).text
        note(request, as: outcome, detail: detail, messageID: messageID)
    }

    /// Records an unknown outcome and retries the request, if that is still possible.
    private mutating func repeatUnknown(
        _ request: Int,
        reason: String,
        after delay: Duration?,
        at now: Duration
    ) {
        switch repeats.wait(unknown: request, cause: reason, now: now, atLeast: delay) {
        case .waits: note(request, as: .unknown, detail: reason)
        case .isUsedUp, .isTooLate: leaveUnknown(request, reason: reason)
        }
    }

    /// Records an unknown outcome as final.
    private mutating func leaveUnknown(_ request: Int, reason: String) {
        settle(request, as: .unknown, detail: reason)
        rollout?.unknown(reason)
        if rules.policy.stopsAtUnknown { ending = ending ?? .unsettled }
    }

    /// Returns a request that is known to be unsent for this attempt.
    private mutating func putBack(_ request: Int, at now: Duration) {
        if repeats[request]?.cause != nil {
            repeats.putBack(request, now: now)
        } else {
            released.insert(request, at: released.startIndex)
        }
    }

    private mutating func slow(_ request: Int, by delay: Duration?, at now: Duration) {
        answered(now)
        let cause = repeats[request]?.cause
        let reason = Rejection.apnsTooManyRequests.reason
        switch repeats.wait(slowed: request, now: now, delay: delay) {
        case .waits where cause == nil: note(request, as: .returned, detail: reason)
        case .waits: break
        case .isUsedUp where cause != nil, .isTooLate where cause != nil:
            settle(request, as: .unknown, detail: reason)
        case .isUsedUp:
            rollout?.rejected(.apnsTooManyRequests)
            settle(request, as: .rejected, detail: reason)
        case .isTooLate: settle(request, as: .expired, detail: reason)
        }
    }

    private mutating func distrust(_ request: Int, reason: String, at now: Duration) {
        if bearer == .renewed { return refuse(request, reason: reason) }
        if bearer == .trusted { bearer = .doubted }
        putBack(request, at: now)
    }

    private mutating func refuse(_ request: Int, reason: String) {
        let cause = repeats[request]?.cause
        settle(request, as: cause == nil ? .returned : .unknown, detail: reason)
        ending = ending ?? .refused(reason: reason)
    }
}

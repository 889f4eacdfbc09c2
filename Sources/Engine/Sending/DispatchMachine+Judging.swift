import CampaignModel
import FCMClient
import Planning
import RateControl
import State

extension DispatchMachine {
    mutating func judge(_ request: Int, _ judgement: Judgement, _ now: Duration) {
        open.remove(request)
        switch judgement {
        case .accepted(let name):
            answered(now)
            trial?.accepted()
            let id = rules.keepsIDs ? name : nil
            settle(request, .accepted, rules.keepsNames ? name : nil, messageID: id)
        case .rejected(let rejection):
            answered(now)
            trial?.rejected(request, rejection)
            settle(request, .rejected, rejection.reason)
        case .unwritten(let reason):
            putBack(request, now)
            end(unless: absence.failed(now: now), reason)
        case .throttled(let reason, let delay):
            putBack(request, now)
            pace.throttled(1, retryAfter: delay, now: now)
            end(unless: !pace.isRefusedForGood, reason)
        case .slowed(let delay): slow(request, delay, now)
        case .failed(let reason, let delay):
            absence.answered()
            pace.failed(retryAfter: delay, now: now)
            trust()
            let isRepeated = rules.policy.repeats != .never
            leaveUnknown(request, reason, isRepeated: isRepeated, delay, now)
            end(unless: outage.failed(now: now), reason)
        case .unknown(let reason):
            let isRepeated = rules.policy.repeats == .always
            leaveUnknown(request, reason, isRepeated: isRepeated, nil, now)
            end(unless: absence.stayedSilent(whileOpen: open.count), reason)
        case .unauthorized(let reason): distrust(request, reason, now)
        case .refusedUs(let reason): refuse(request, reason)
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

    private mutating func end(unless goesOn: Bool, _ reason: String) {
        if !goesOn { ending = ending ?? .unanswered(reason: reason) }
    }

    /// Records the final outcome of a request.
    private mutating func settle(
        _ request: Int,
        _ outcome: Outcome,
        _ words: String?,
        messageID: String? = nil
    ) {
        guard let entry = repeats[request] else {
            return note(request, outcome, words, messageID: messageID)
        }
        repeats.settle(request)
        let detail = OutcomeDetail(words, repeatedAfter: entry.cause).text
        note(request, outcome, detail, messageID: messageID)
    }

    /// Records an unknown outcome, even if the request is to be retried.
    private mutating func leaveUnknown(
        _ request: Int,
        _ reason: String,
        isRepeated: Bool,
        _ delay: Duration?,
        _ now: Duration
    ) {
        let end = rules.expiry
        if isRepeated,
            repeats.wait(unknown: request, reason, now: now, atLeast: delay, before: end) == .waits
        {
            return note(request, .unknown, reason)
        }
        settle(request, .unknown, reason)
        if rules.policy.stopsAtUnknown { ending = ending ?? .unsettled }
    }

    /// Returns a request that is known to be unsent for this attempt.
    private mutating func putBack(_ request: Int, _ now: Duration) {
        if repeats[request]?.cause != nil {
            repeats.putBack(request, now: now)
        } else {
            released.insert(request, at: released.startIndex)
        }
    }

    private mutating func slow(_ request: Int, _ delay: Duration?, _ now: Duration) {
        answered(now)
        let cause = repeats[request]?.cause
        let reason = Rejection.apnsTooManyRequests.reason
        switch repeats.wait(slowed: request, now: now, delay: delay, before: rules.expiry) {
        case .waits where cause == nil: note(request, .returned, reason)
        case .waits: break
        case .isUsedUp where cause != nil, .isTooLate where cause != nil:
            settle(request, .unknown, reason)
        case .isUsedUp: settle(request, .rejected, reason)
        case .isTooLate: settle(request, .expired, reason)
        }
    }

    private mutating func distrust(_ request: Int, _ reason: String, _ now: Duration) {
        if bearer == .renewed { return refuse(request, reason) }
        if bearer == .trusted { bearer = .doubted }
        putBack(request, now)
    }

    private mutating func refuse(_ request: Int, _ reason: String) {
        let cause = repeats[request]?.cause
        settle(request, cause == nil ? .returned : .unknown, reason)
        ending = ending ?? .refused(reason: reason)
    }
}

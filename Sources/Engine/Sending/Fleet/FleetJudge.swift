import Fleet
import RateControl
import State

/// Judges the answers that one worker gets: what they mean for each request, and what the worker does
/// next.
///
/// It is pure. A single process decides the same in `DispatchMachine`, for one occurrence.
struct FleetJudge: Sendable {
    /// The result of a request, with what is stored about it.
    struct Verdict: Hashable, Sendable {
        let result: SendResult
        var detail: String?
        var messageID: String?
    }

    enum Consequence: Hashable, Sendable {
        /// Nothing is sent before this time, and then only so many requests are open.
        case limit(until: Duration, open: Int)
        /// Renew the bearer.
        case renew
        /// The occurrence, or every occurrence that the worker sends, must stop.
        case stop(OccurrenceNumber?, FleetProblem)
    }

    /// An answer to a request of an order.
    struct Answer {
        let request: Int
        let judgement: Judgement
    }

    private let maximumOpen: Int
    private let backoff: Backoff
    private var absence: UnreachableBackoff
    private var outage: ServerErrorBreaker
    private var bearer = TokenStatus.trusted
    private var throttlesInARow = 0
    /// The end of the pause after the last 429.
    private var throttledUntil = Duration.zero
    /// Nothing is sent before this time.
    private var restEnd = Duration.zero
    /// The rejections of the message in a row, by occurrence.
    private var refusedInARow: [OccurrenceNumber: Int] = [:]
    /// Why the outcome of an attempt is unknown, by unit and request.
    private var causes: [WorkUnitID: [Int: String]] = [:]
    private var consequences: [Consequence] = []

    /// The maximum number of repeats of a request.
    private static let mostRepeats = 4
    private static let refusedInARowLimit = 20
    /// How long the worker rests after a 429 without a time.
    private static let throttlePause = Duration.seconds(1)
    /// The first pause of a registration after a 429 of APNs without a time.
    private static let firstSlowdown = Duration.seconds(60)
    /// How long the worker rests when an occurrence must stop, until its units are recalled.
    private static let recallPause = Duration.seconds(5)

    init(maximumOpen: Int, backoff: Backoff = .standard) {
        self.maximumOpen = maximumOpen
        self.backoff = backoff
        absence = UnreachableBackoff(backoff: backoff)
        outage = ServerErrorBreaker(
            pause: backoff.shortestRepeat,
            maximumOpen: maximumOpen,
            steadyOpen: min(maximumOpen, OpenLimit.standardStart)
        )
    }

    /// Judges answers that arrived together.
    ///
    /// `open`: the number of requests that are still open.
    mutating func judge(
        _ answers: [Answer],
        to order: SendOrder,
        of occurrence: OccurrenceNumber,
        under terms: FleetTerms,
        open: Int,
        at now: Duration
    ) -> (verdicts: [Verdict], consequences: [Consequence]) {
        consequences = []
        let before = (restEnd, outage.mayBeOpen)
        let verdicts = answers.map { answer in
            verdict(
                on: answer,
                in: Context(
                    order: order,
                    occurrence: occurrence,
                    terms: terms,
                    open: open,
                    now: now
                )
            )
        }
        // After an outage, each answer allows one more open request.
        if before != (restEnd, outage.mayBeOpen) { consequences.append(limit) }
        return (verdicts, consequences)
    }

    /// Takes the result of a renewal of the bearer.
    ///
    /// `reason`: why it failed; nil if the bearer is new.
    mutating func renewed(failure reason: String?, at now: Duration) -> [Consequence] {
        bearer = reason == nil ? .renewed : .trusted
        let isRecalled = reason == nil ? now : now + Self.recallPause
        restEnd = max(isRecalled, throttledUntil, outage.end(now: now) ?? now)
        return [limit] + (reason.map { [.stop(nil, .refused(reason: $0))] } ?? [])
    }

    /// Drops what is remembered about a unit.
    mutating func forget(_ unit: WorkUnitID) { causes[unit] = nil }
}

extension FleetJudge {
    private struct Context {
        let order: SendOrder
        let occurrence: OccurrenceNumber
        let terms: FleetTerms
        let open: Int
        let now: Duration
    }

    private mutating func verdict(on answer: Answer, in context: Context) -> Verdict {
        let (order, now, request) = (context.order, context.now, answer.request)
        func verdict(_ meaning: SendResult.Answer) -> Verdict {
            Verdict(result: SendResult(meaning, to: request, of: order))
        }
        switch answer.judgement {
        case .accepted(let name):
            answered(context.occurrence, isPayloadRefused: false, at: now)
            var accepted = verdict(.accepted)
            accepted.detail = final(nil, of: request, in: order)
            if context.terms.keepsIDs { accepted.messageID = name }
            return accepted
        case .rejected(let rejection):
            let isPayloadRefused = rejection == .invalidArgument
            answered(context.occurrence, isPayloadRefused: isPayloadRefused, at: now)
            return rejected(rejection, request, in: order)
        case .unwritten(let reason):
            if !absence.failed(now: now) { stop(nil, .unanswered(reason: reason), at: now) }
            rest(until: absence.end(now: now))
            return verdict(.unwritten)
        case .throttled(let reason, let delay):
            return throttled(verdict, by: delay, reason: reason, at: now)
        case .slowed(let delay):
            answered(context.occurrence, isPayloadRefused: false, at: now)
            guard order.attempt <= Self.mostRepeats else {
                return rejected(.apnsTooManyRequests, request, in: order)
            }
            let pause = delay ?? Self.firstSlowdown * (1 << (order.attempt - 1))
            return verdict(.refused(after: pause, isThrottled: false))
        case .failed(let reason, let delay):
            return failed(request, reason: reason, delay: delay, in: context)
        case .unknown(let reason):
            if !absence.stayedSilent(whileOpen: context.open) {
                stop(nil, .unanswered(reason: reason), at: now)
            }
            var unknown = verdict(.unknown(repeatedAfter: nil))
            unknown.detail = final(reason, of: request, in: order)
            return unknown
        case .unauthorized(let reason):
            distrust(reason: reason, at: now)
            return verdict(.unwritten)
        case .refusedUs(let reason):
            stop(context.occurrence, .refused(reason: reason), at: now)
            return verdict(.unwritten)
        }
    }

    private mutating func rejected(
        _ rejection: Rejection,
        _ request: Int,
        in order: SendOrder
    ) -> Verdict {
        Verdict(
            result: SendResult(.rejected, to: request, of: order),
            detail: final(rejection.reason, of: request, in: order)
        )
    }

    private mutating func throttled(
        _ verdict: (SendResult.Answer) -> Verdict,
        by delay: Duration?,
        reason: String,
        at now: Duration
    ) -> Verdict {
        let pause = delay ?? Self.throttlePause
        // Answers to requests from before the pause belong to it.
        if now >= throttledUntil {
            throttlesInARow += 1
            throttledUntil = now + pause
            rest(until: throttledUntil)
            if throttlesInARow > Backoff.maximumFailures {
                stop(nil, .unanswered(reason: reason), at: now)
            }
        }
        return verdict(.refused(after: pause, isThrottled: true))
    }

    private mutating func failed(
        _ request: Int,
        reason: String,
        delay: Duration?,
        in context: Context
    ) -> Verdict {
        let (order, now) = (context.order, context.now)
        absence.answered()
        if !outage.failed(now: now) { stop(nil, .unanswered(reason: reason), at: now) }
        rest(until: outage.end(now: now))
        if bearer == .renewed { bearer = .trusted }
        guard context.terms.repeatsAnswered, order.attempt <= Self.mostRepeats else {
            return Verdict(
                result: SendResult(.unknown(repeatedAfter: nil), to: request, of: order),
                detail: final(reason, of: request, in: order)
            )
        }
        if causes[order.unit]?[request] == nil {
            causes[order.unit, default: [:]][request] = reason
        }
        let pause = backoff.shortestRepeat * (1 << (order.attempt - 1))
        let repeated = SendResult.Answer.unknown(repeatedAfter: max(delay ?? .zero, pause))
        return Verdict(result: SendResult(repeated, to: request, of: order), detail: reason)
    }

    /// The detail of a last outcome.
    private mutating func final(
        _ words: String?,
        of request: Int,
        in order: SendOrder
    ) -> String? {
        guard let cause = causes[order.unit]?.removeValue(forKey: request) else { return words }
        return OutcomeDetail(words, repeatedAfter: cause).text
    }

    private mutating func answered(
        _ occurrence: OccurrenceNumber,
        isPayloadRefused: Bool,
        at now: Duration
    ) {
        absence.answered()
        outage.answered(now: now)
        throttlesInARow = 0
        if bearer == .renewed { bearer = .trusted }
        guard isPayloadRefused else {
            refusedInARow[occurrence] = nil
            return
        }
        let count = (refusedInARow[occurrence] ?? 0) + 1
        refusedInARow[occurrence] = count
        if count == Self.refusedInARowLimit {
            stop(occurrence, .refusedPayload(count: count), at: now)
        }
    }

    private mutating func distrust(reason: String, at now: Duration) {
        switch bearer {
        case .trusted:
            bearer = .refreshing
            consequences.append(.renew)
        case .renewed:
            // The new one is not accepted either.
            bearer = .trusted
            stop(nil, .refused(reason: reason), at: now)
        case .doubted, .refreshing: break
        }
        if bearer == .refreshing { rest(until: now + .seconds(60)) }
    }

    private mutating func stop(
        _ occurrence: OccurrenceNumber?,
        _ problem: FleetProblem,
        at now: Duration
    ) {
        consequences.append(.stop(occurrence, problem))
        rest(until: now + Self.recallPause)
    }

    private mutating func rest(until end: Duration?) {
        if let end { restEnd = max(restEnd, end) }
    }

    private var limit: Consequence { .limit(until: restEnd, open: outage.mayBeOpen) }
}

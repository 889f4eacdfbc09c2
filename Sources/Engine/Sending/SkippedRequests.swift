import CampaignModel
package import State
import Time

/// Requests of a list that are skipped, because their registrations are dead or opted out, their
/// persons are held out or over the frequency cap, or the message that is taken back did not reach
/// them, and those that wait because it is night in their persons' time zones.
///
/// Each outcome is recorded together with the mark that passes it. Requests below the mark without
/// an outcome are therefore always ones that may have been sent.
package struct SkippedRequests: Sendable {
    private var dead: ArraySlice<Int>
    private var optedOut: ArraySlice<Int>
    private var heldOut: ArraySlice<Int>
    private var capped: ArraySlice<Int>
    private var notReached: RequestRanges
    /// Those that may be sent later: they are recorded as returned.
    package let waiting: [Int]
    /// The part of `waiting` that the mark has not passed.
    private var ahead: ArraySlice<Int>

    /// The maximum number of outcomes of a kind per record.
    private static let batch = 4_096

    /// No number may be in two lists.
    ///
    /// - Parameters:
    ///   - dead: In ascending order.
    ///   - optedOut: In ascending order.
    ///   - heldOut: In ascending order.
    ///   - capped: In ascending order.
    ///   - waiting: In ascending order.
    ///   - notReached: Those that a recall leaves out.
    ///   - mark: The mark on disk: the waiting requests below it are already recorded.
    package init(
        dead: [Int],
        optedOut: [Int] = [],
        heldOut: [Int] = [],
        capped: [Int] = [],
        waiting: [Int] = [],
        notReached: RequestRanges = RequestRanges([]),
        mark: Int = 0
    ) {
        self.dead = dead[...]
        self.optedOut = optedOut[...]
        self.heldOut = heldOut[...]
        self.capped = capped[...]
        self.waiting = waiting
        self.notReached = notReached
        ahead = waiting[waiting.partitionIndex { $0 >= mark }...]
    }

    /// The number of requests to registrations that opted out.
    package var optedOutCount: Int { optedOut.count }

    /// The number of requests to people that are held out.
    package var heldOutCount: Int { heldOut.count }

    /// The number of requests that a recall leaves out.
    package var notReachedCount: Int { notReached.count }

    /// The number of requests that are never sent.
    package var count: Int {
        dead.count + optedOut.count + heldOut.count + capped.count + notReached.count
    }

    /// Returns the requests that are not skipped.
    package func without(from requests: RequestRanges) -> RequestRanges {
        let alive = dead.isEmpty ? requests : requests.subtracting(dead)
        let living = optedOut.isEmpty ? alive : alive.subtracting(optedOut)
        let compared = heldOut.isEmpty ? living : living.subtracting(heldOut)
        let allowed = capped.isEmpty ? compared : compared.subtracting(capped)
        guard notReached.isEmpty else { return allowed.subtracting(notReached.all.joined()) }
        return waiting.isEmpty ? allowed : allowed.subtracting(waiting)
    }

    /// Takes the outcomes of requests below a mark, or at most a batch of each kind if there is no
    /// mark.
    ///
    /// Without a mark, the requests that wait keep the outcomes that they have.
    package mutating func take(below mark: Int) -> [RequestOutcome] {
        Self.take(from: &dead, below: mark, reason: OutcomeDetail.dead)
            + Self.take(from: &optedOut, below: mark, reason: OutcomeDetail.optOut)
            + Self.take(from: &heldOut, below: mark, reason: OutcomeDetail.holdOut)
            + Self.take(from: &capped, below: mark, reason: OutcomeDetail.cap)
            + takeNotReached(below: mark)
            + (mark == .max ? [] : takeWaiting(below: mark))
    }

    private mutating func takeNotReached(below mark: Int) -> [RequestOutcome] {
        let limit =
            mark == .max
            ? Self.batch : notReached.ranges(below: mark).reduce(0) { $0 + $1.count }
        return notReached.takeFirst(limit).map {
            RequestOutcome(index: $0, outcome: .suppressed, detail: OutcomeDetail.notReached)
        }
    }

    private mutating func takeWaiting(below mark: Int) -> [RequestOutcome] {
        let passed = ahead.prefix { $0 < mark }
        ahead = ahead.dropFirst(passed.count)
        return passed.map { RequestOutcome(index: $0, outcome: .returned) }
    }

    private static func take(
        from rest: inout ArraySlice<Int>,
        below mark: Int,
        reason: String
    ) -> [RequestOutcome] {
        let passed = mark == .max ? rest.prefix(batch) : rest.prefix { $0 < mark }
        rest = rest.dropFirst(passed.count)
        return passed.map { RequestOutcome(index: $0, outcome: .suppressed, detail: reason) }
    }
}

/// Decides when how much of one quota may be used: a token bucket with a changing rate.
///
/// The rate rises from the budget's start to its peak. After an idle minute it starts again, at the
/// rate that FCM accepted in the last minute of requests if that was at most ten minutes ago. A refusal for quota starts a pause and
/// lowers the rate. Without further refusals the rate rises again, slowly at first, up to the
/// budget's rate. A refusal before FCM has accepted anything lowers it only until FCM accepts
/// requests. The machine is pure: `now` is on one monotonic clock for the whole run.
///
/// - Invariant: It gives nothing before a time that an answer requested as the wait.
package struct PaceMachine: Sendable {
    private var budget: PaceBudget
    private var random: JitterSource
    /// When the rise from the start rate began; nil before the first request.
    private var beginning: Double?
    private var saved: Double
    /// The time of `saved`, in seconds.
    private var filledAt = 0.0
    private var limit = RateLimit()
    private var recent: RecentCounts
    /// The accepted requests of the last minute.
    private var minute = RecentCounts(seconds: 60)
    private var until: Duration = .zero
    /// When FCM last accepted a request outside of a pause, in seconds; nil before the first.
    private var acceptedAt: Double?
    /// Whether a quota refusal caused the pause.
    package private(set) var isRefused = false
    /// Consecutive refusals; refusals of one pause count once.
    private var throttles = 0

    package init(_ budget: PaceBudget, seed: UInt64) {
        self.budget = budget
        random = JitterSource(seed: seed)
        recent = RecentCounts(seconds: budget.quota.measured)
        saved = budget.first
    }

    /// The longest pause: without a time from FCM, each pause is twice as long as the previous one.
    private static let longestPause = Duration.seconds(3_600)
    /// Pauses for membership changes thus have at most 64 seconds, plus jitter.
    private static let mostDoublings = 6
    /// Give up after this many consecutive pauses without another answer between them.
    private static let mostThrottles = 20
    /// After this many idle seconds, the rise to the peak starts again.
    private static let idleLength = 60.0
    /// At high rates, requests are sent in groups of this many seconds.
    private static let strokeLength = 0.005

    /// Tolerance for rounding errors in sums of seconds.
    private static let lost = 1e-6

    /// Takes as much of the budget as is available now, at most `wanted`.
    package mutating func take(upTo wanted: Int, now: Duration) -> Int {
        guard wanted > 0, now >= until else { return 0 }
        fill(now)
        let taken = min(wanted, Int(saved + Self.lost), most(at: now.seconds))
        saved = max(0, saved - Double(taken))
        return taken
    }

    /// Returns unused budget.
    package mutating func giveBack(_ count: Int) { saved += Double(count) }

    /// Returns when this count, or the largest possible burst, becomes available; nil if it is
    /// available now.
    package func next(for count: Int, now: Duration) -> Duration? {
        let moment = max(now, until).seconds
        var filled = self
        filled.fill(max(now, until))
        let rate = rate(at: moment)
        let most = min(Double(filled.most(at: moment)), burst(at: moment).rounded(.down))
        let missing = min(Double(max(1, count)), most) - filled.saved
        guard missing > Self.lost else { return now < until ? until : nil }
        return .seconds(max(moment + missing / rate, now.seconds + 0.000_1))
    }

    /// Returns the number of requests that are worth waiting for together; at least 1.
    package func stroke(now: Duration) -> Int {
        max(1, Int(rate(at: now.seconds) * Self.strokeLength))
    }

    /// Returns the rate per second that the budget allows now.
    package func currentRate(now: Duration) -> Double { rate(at: now.seconds) }

    /// The rate per second that FCM accepted, on average over the last minute of requests.
    package var sustained: Double { minute.average }

    /// Returns when the pause ends; nil if there is none.
    package func pauseEnd(now: Duration) -> Duration? { now < until ? until : nil }

    /// Whether to give up, because FCM keeps refusing.
    package var isRefusedForGood: Bool { throttles >= Self.mostThrottles }

    /// Counts answers that were not refused for quota, regardless of their result, because FCM
    /// counts them, too (Firebase documentation, Throttling and quotas).
    package mutating func accepted(_ count: Int, now: Duration) {
        recent.add(count, at: now.seconds)
        minute.add(count, at: now.seconds)
        // Requests that are answered during a pause were sent before it.
        guard now >= until else { return }
        throttles = 0
        acceptedAt = now.seconds
        limit.accepted(count, at: now.seconds)
    }

    /// Counts an answer that refuses for quota; FCM does not count it and requires a pause.
    ///
    /// Requests that are refused during a pause were sent before it and do not lower the rate
    /// further.
    package mutating func throttled(_ count: Int, retryAfter: Duration?, now: Duration) {
        let isFirst = now >= until
        let resumed = until.seconds
        if isFirst { throttles += 1 }
        let length = retryAfter.map { max($0, shortestPause) } ?? pauseLength()
        pause(until: now + length, isRefused: true)
        if isFirst { slow(now, since: resumed) }
    }

    /// Counts a server error from FCM.
    ///
    /// If the answer contains a time, nothing is sent before that time. Otherwise only the failed
    /// request waits, for at least ten seconds; its sender handles that.
    package mutating func failed(retryAfter: Duration?, now: Duration) {
        recent.add(1, at: now.seconds)
        if let retryAfter { pause(until: now + retryAfter, isRefused: false) }
    }

    /// The shortest pause if the answer contains a time, such as `Retry-After: 0`.
    ///
    /// It doubles from one second, so that a server that keeps refusing does not end the run within
    /// seconds.
    private var shortestPause: Duration {
        let doublings = min(max(0, throttles - 1), Self.mostDoublings)
        return min(.seconds(1 << doublings), budget.quota.longestShortPause)
    }

    /// Returns the length of a pause with random jitter, so that clients that were refused together
    /// do not return together.
    private mutating func pauseLength() -> Duration {
        let doublings = min(max(0, throttles - 1), Self.mostDoublings)
        let doubled = budget.quota.firstPause * (1 << doublings)
        let chance = Double.random(in: 0..<budget.quota.spread, using: &random)
        return min(doubled, Self.longestPause) * (1 + chance)
    }

    private mutating func pause(until end: Duration, isRefused: Bool) {
        guard end > until else { return }
        until = end
        self.isRefused = isRefused
        saved = 1
        filledAt = until.seconds
    }

    /// Lowers the rate; it rises again from the end of the pause.
    ///
    /// If FCM has accepted requests since the previous pause, the rate becomes nine tenths of the
    /// accepted rate, but at least half of the previous one. Otherwise the refusal does not show
    /// which rate FCM accepts. The rate is then halved until FCM accepts requests again.
    ///
    /// `resumed`: the end of the previous pause, in seconds.
    private mutating func slow(_ now: Duration, since resumed: Double) {
        let (moment, end) = (now.seconds, max(now, until).seconds)
        let rate = rate(at: moment)
        let start = beginning ?? moment
        let acceptance = acceptedAt ?? -1
        if acceptance >= max(start, resumed) {
            let since = budget.quota.measuresAcrossPauses ? start : max(start, resumed)
            let taken = recent.rate(at: moment, since: since)
            limit.lower(to: min(max(rate / 2, min(rate, taken) * 0.9), budget.peak), at: end)
        } else {
            limit.lower(to: rate / 2, at: end, goal: limit.rate(at: moment) ?? budget.peak)
            // The rise to the peak has not begun before the first accepted request.
            if acceptance < start { beginning = end }
        }
        guard !budget.quota.measuresAcrossPauses else { return }
        recent = RecentCounts(seconds: budget.quota.measured)
    }

    private mutating func fill(_ now: Duration) {
        let now = now.seconds
        if beginning == nil || now - filledAt > Self.idleLength { begin(now) }
        guard now > filledAt else { return }
        let rate = (rate(at: filledAt) + rate(at: now)) / 2
        saved = min(saved + rate * (now - filledAt), burst(at: now))
        filledAt = now
    }

    /// Starts the rise to the peak.
    private mutating func begin(_ now: Double) {
        if beginning != nil {
            let isRecent = now - filledAt <= PaceBudget.memory / .seconds(1)
            budget = budget.after(isRecent ? sustained : nil)
        }
        beginning = now
    }

    /// The most that may be sent at once: the saved budget, or one batch.
    private func most(at now: Double) -> Int {
        budget.largest > 1 ? Int(budget.piece(found: limit.rate(at: now))) : .max
    }

    private func burst(at now: Double) -> Double {
        budget.burst(at: rate(at: now), found: limit.rate(at: now))
    }

    private func rate(at now: Double) -> Double {
        let risen = budget.rate(after: now - (beginning ?? now))
        return min(risen, limit.rate(at: now) ?? risen)
    }
}

extension PaceMachine {
    /// Returns the time to use this much of a budget, including the rise to the peak, without
    /// refusals.
    ///
    /// `limit`: the highest rate per second that something else allows; nil if nothing does.
    package static func duration(
        of count: Int,
        within budget: PaceBudget,
        limit: Double? = nil
    ) -> Duration {
        let rest = Double(count) - budget.first
        guard rest > 0 else { return .zero }
        let peak = min(budget.peak, limit ?? budget.peak)
        let start = min(budget.start, peak)
        let length = budget.rise(to: peak) / .seconds(1)
        guard length > 0 else { return .seconds(rest / peak) }
        let slope = (peak - start) / length
        let ramped = (start + peak) / 2 * length
        if rest >= ramped { return .seconds(length + (rest - ramped) / peak) }
        return .seconds(((start * start + 2 * slope * rest).squareRoot() - start) / slope)
    }
}

extension Duration {
    fileprivate var seconds: Double { self / .seconds(1) }
}

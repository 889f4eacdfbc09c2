/// Says how much of one quota may be used when: a bucket that fills at a rate.
///
/// The rate rises from the budget's start to its peak. An answer that refuses for quota begins a
/// pause and lowers the rate; without another one it rises again, slowly at first, until it is the
/// budget's. It is pure: `now` is on one clock that never goes back, for a whole run.
///
/// - Invariant: nothing is given before a time that an answer asked to wait for.
package struct PaceMachine: Sendable {
    private let budget: PaceBudget
    private var random: JitterSource
    /// When the rise from the budget's start began; nil before anything was taken.
    private var beginning: Double?
    private var saved: Double
    /// The moment of `saved`, in seconds.
    private var filledAt = 0.0
    private var limit = RateLimit()
    private var recent: RecentCounts
    private var until: Duration = .zero
    /// Whether the pause is the quota's.
    package private(set) var isRefused = false
    /// Refusals in a row, those of one pause counted once.
    private var throttles = 0

    package init(_ budget: PaceBudget, seed: UInt64) {
        self.budget = budget
        random = JitterSource(seed: seed)
        recent = RecentCounts(seconds: budget.quota.measured)
        saved = budget.first
    }

    /// Where FCM names no time a pause is twice as long each time, at most an hour.
    private static let longestPause = Duration.seconds(3_600)
    /// So many pauses in a row, without an answer between them, end the waiting.
    private static let mostThrottles = 20
    /// Seconds without a request after which the rise to the peak begins anew.
    private static let idleLength = 60.0
    /// Requests go out in strokes of so many seconds where the rate is high.
    private static let strokeLength = 0.005

    /// Sums of seconds lose their last digits.
    private static let lost = 1e-6

    /// Takes so much of the budget as may go now, at most `wanted`.
    package mutating func take(upTo wanted: Int, now: Duration) -> Int {
        guard wanted > 0, now >= until else { return 0 }
        fill(now)
        let taken = min(wanted, Int(saved + Self.lost), most(at: now.seconds))
        saved = max(0, saved - Double(taken))
        return taken
    }

    /// Gives back what was taken and not used.
    package mutating func giveBack(_ count: Int) { saved += Double(count) }

    /// When so much, or as much as can ever go at once, may go; nil where that is now.
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

    /// What is worth waiting for together: a stroke's worth of requests, at least 1.
    package func stroke(now: Duration) -> Int {
        max(1, Int(rate(at: now.seconds) * Self.strokeLength))
    }

    /// When the pause is over; nil where there is none.
    package func pauseEnd(now: Duration) -> Duration? { now < until ? until : nil }

    /// It is time to give up: FCM goes on to refuse.
    package var isRefusedForGood: Bool { throttles >= Self.mostThrottles }

    /// Counts answers that were not refused for quota, whatever else they say: FCM counts them too
    /// (Firebase documentation, Throttling and quotas).
    package mutating func accepted(_ count: Int, now: Duration) {
        recent.add(count, at: now.seconds)
        // What is answered during a pause was sent before it.
        if now >= until { throttles = 0 }
    }

    /// Counts an answer that refuses for quota: FCM does not count it, and wants a pause.
    ///
    /// What was refused during a pause was sent before it, and lowers the rate no further.
    package mutating func throttled(_ count: Int, retryAfter: Duration?, now: Duration) {
        if now >= until {
            throttles += 1
            slow(now)
        }
        pause(until: now + (retryAfter ?? pauseLength()), isRefused: true)
    }

    /// Counts an answer that says that FCM failed.
    ///
    /// Where it names a time nothing goes before it. Without one only what failed waits, for at
    /// least ten seconds, which is for its sender to see to.
    package mutating func failed(retryAfter: Duration?, now: Duration) {
        recent.add(1, at: now.seconds)
        if let retryAfter { pause(until: now + retryAfter, isRefused: false) }
    }

    /// The length and some more by chance, so that those who were refused together do not come
    /// back together.
    private mutating func pauseLength() -> Duration {
        let doubled = budget.quota.firstPause * (1 << min(max(0, throttles - 1), 6))
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

    /// Lowers the rate to nine tenths of what FCM has taken lately, but by no more than half.
    private mutating func slow(_ now: Duration) {
        let rate = rate(at: now.seconds)
        let taken = recent.rate(at: now.seconds, since: beginning ?? now.seconds)
        limit.lower(to: min(max(rate / 2, min(rate, taken) * 0.9), budget.peak), at: now.seconds)
    }

    private mutating func fill(_ now: Duration) {
        let now = now.seconds
        if beginning == nil || now - filledAt > Self.idleLength { beginning = now }
        guard now > filledAt else { return }
        let rate = (rate(at: filledAt) + rate(at: now)) / 2
        saved = min(saved + rate * (now - filledAt), burst(at: now))
        filledAt = now
    }

    /// What may go at one moment: all that is saved, or one batch.
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
    /// How long it takes to use so much of a budget, by the same rise to the peak, while FCM
    /// refuses nothing.
    package static func duration(of count: Int, _ budget: PaceBudget) -> Duration {
        let rest = Double(count) - budget.first
        guard rest > 0 else { return .zero }
        let (start, peak, length) = (budget.start, budget.peak, PaceBudget.rampLength)
        let slope = (peak - start) / length
        let ramped = (start + peak) / 2 * length
        if rest >= ramped { return .seconds(length + (rest - ramped) / peak) }
        guard slope > 0 else { return .seconds(rest / peak) }
        return .seconds(((start * start + 2 * slope * rest).squareRoot() - start) / slope)
    }
}

extension Duration {
    fileprivate var seconds: Double { self / .seconds(1) }
}

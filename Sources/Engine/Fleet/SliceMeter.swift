/// Limits the sends of a worker to its slice of the quota.
package struct SliceMeter: Hashable, Sendable {
    /// How long a slice is used after the begin of the request whose answer has it.
    ///
    /// A worker that gets no more answers stops, because occurrences may be recalled.
    static let longestUse = Duration.milliseconds(2_900)

    /// When the use of a slice ends: before it ends for the divider, whose clock may be faster.
    ///
    /// `ask`: its request. `answered`: when the request began whose answer has it.
    static func end(of ask: SliceAsks.Ask, answered: Duration) -> Duration {
        min(ask.begin + ask.validity * 99 / 100, answered + longestUse)
    }

    /// Sends per 60 s; 0 without a slice.
    private var height = 0
    private var end = Duration.zero
    /// The sends that are possible now, in nanoseconds of the height: `one` for each.
    private var tokens: Int64 = 0
    private var last = Duration.zero

    package init() {}

    /// Uses a slice until a time.
    package mutating func use(height: Int, until new: Duration, now: Duration) {
        fill(to: now)
        if now >= end { tokens = 0 }
        guard new > now else { return }
        self.height = height
        end = new
        tokens = min(tokens, limit)
    }

    /// Takes at most `count` sends.
    package mutating func take(upTo count: Int, now: Duration) -> Int {
        fill(to: now)
        guard now < end else { return 0 }
        let taken = min(count, Int(tokens / Self.one))
        tokens -= Int64(taken) * Self.one
        return taken
    }

    /// The sends per second that the slice admits; 0 without one.
    package var perSecond: Int { height / 60 }

    /// Returns sends that were taken and not used.
    package mutating func giveBack(_ count: Int) {
        tokens = min(limit, tokens + Int64(count) * Self.one)
    }

    /// When the next send is possible; nil without a valid slice.
    package func next(now: Duration) -> Duration? {
        guard now < end, height > 0 else { return nil }
        let missing = max(0, Self.one - tokens)
        let time = last + .nanoseconds(missing / Int64(height) + 1)
        return time < end ? max(time, now) : nil
    }

    /// 1 % more than 60 s, for clocks of different speed.
    private static let one: Int64 = 60_600_000_000

    private var limit: Int64 { Int64(QuotaDivider.burst(of: height)) * Self.one }

    private mutating func fill(to now: Duration) {
        let time = min(now, end)
        if time > last {
            let elapsed = (time - last).components
            let nanoseconds = elapsed.seconds * 1_000_000_000 + elapsed.attoseconds / 1_000_000_000
            // A long time fills the burst, so that the product cannot overflow.
            let most = min(nanoseconds, 600_000_000_000)
            tokens = min(limit, tokens + most * Int64(height))
        }
        last = max(last, now)
    }
}
